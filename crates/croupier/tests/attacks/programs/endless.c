/* Writes without end, and never a whole line. */
#include "table.h"
int main(void) {
    static char chunk[1 << 16];
    memset(chunk, 'x', sizeof chunk);
    asked();
    while (write(1, chunk, sizeof chunk) > 0 || errno == EINTR) {
    }
    return 0;
}
