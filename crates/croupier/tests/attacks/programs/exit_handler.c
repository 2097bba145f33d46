/* Plays well and then sleeps in its exit handler. */
#include "table.h"
static void sleep_on(void) {
    for (;;)
        pause();
}
int main(void) {
    atexit(sleep_on);
    return asked() ? play_on() : 0;
}
