/* Opens sockets of every sort, also through the calls of other machines. */
#include "table.h"
#include <sys/socket.h>
#include <sys/syscall.h>
int main(void) {
    asked();
    int families[] = {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK, AF_PACKET};
    for (int i = 0; i < 5; i++)
        if (socket(families[i], SOCK_DGRAM, 0) >= 0)
            breach("a socket");
#ifdef __x86_64__
    if (syscall(0x40000000 | SYS_socket, AF_UNIX, SOCK_DGRAM, 0) >= 0)
        breach("a socket through the x32 calls");
#endif
    return play_on();
}
