/* Ends with status 3, without an answer. */
#include "table.h"
int main(void) {
    asked();
    fputs("I give up\n", stderr);
    return 3;
}
