/* Answers with bytes that are no UTF-8, and a zero byte. */
#include "table.h"
int main(void) {
    while (asked()) {
        fwrite("wi\xff\xfe\xc0\0ld\n", 1, 9, stdout);
        fflush(stdout);
    }
    return 0;
}
