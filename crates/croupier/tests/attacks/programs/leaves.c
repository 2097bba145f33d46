/* Ends well, without an answer. */
#include "table.h"
int main(void) {
    asked();
    return 0;
}
