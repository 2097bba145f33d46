/* Uses all memory that it gets, at most a gigabyte. */
#include "table.h"
int main(void) {
    asked();
    for (int part = 0; part < 1024; part++)
        memset(malloc(1 << 20), 1, 1 << 20);
    for (;;)
        pause();
}
