/* Ends well after an answer that lacks the end of its line. */
#include "table.h"
int main(void) {
    asked();
    printf("wild");
    return 0;
}
