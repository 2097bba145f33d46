/* Ignores every signal that can be ignored, and never answers. */
#include "table.h"
int main(void) {
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    asked();
    for (;;)
        pause();
}
