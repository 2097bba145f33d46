/* Writes to its standard error without end. */
#include "table.h"
int main(void) {
    static char chunk[1 << 16];
    memset(chunk, 'e', sizeof chunk);
    asked();
    while (write(2, chunk, sizeof chunk) > 0 || errno == EINTR) {
    }
    return 0;
}
