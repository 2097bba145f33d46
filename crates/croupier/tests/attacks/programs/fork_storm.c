/* Forks, and so do its children, 1000 times in all, and none of them ever rests. */
#include "table.h"
#include <sys/mman.h>
int main(void) {
    int *forks = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    asked();
    alarm(200);
    while (__atomic_fetch_add(forks, 1, __ATOMIC_SEQ_CST) < 1000)
        if (fork() == 0)
            alarm(200);
    for (;;)
        ;
}
