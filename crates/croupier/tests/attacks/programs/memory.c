/* Uses all memory that it gets, at most a gigabyte. The pieces are so large that one is refused before the
   others and the libraries together are too much: whether somebody looks just then decides nothing. */
#include "table.h"
int main(void) {
    asked();
    for (int part = 0; part < 256; part++)
        memset(malloc(4 << 20), 1, 4 << 20);
    for (;;)
        pause();
}
