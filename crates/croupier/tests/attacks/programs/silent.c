/* Never answers and sleeps for ever. */
#include "table.h"
int main(void) {
    asked();
    for (;;)
        pause();
}
