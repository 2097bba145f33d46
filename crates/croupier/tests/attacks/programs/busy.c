/* Computes for ever. */
#include "table.h"
int main(void) {
    asked();
    for (volatile unsigned long n = 0;; n++) {
    }
}
