/* Works for 40 ms of processor time before each answer, which is allowed. */
#include "table.h"
#include <time.h>
int main(void) {
    while (asked()) {
        for (clock_t begun = clock(); clock() - begun < CLOCKS_PER_SEC * 4 / 100;) {
        }
        answer();
    }
    return 0;
}
