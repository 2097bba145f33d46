/* Answers without end, asked or not. */
#include "table.h"
int main(void) {
    asked();
    for (;;)
        answer();
}
