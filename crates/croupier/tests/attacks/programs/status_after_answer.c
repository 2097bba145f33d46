/* Answers once and ends with status 1. */
#include "table.h"
int main(void) {
    asked();
    answer();
    return 1;
}
