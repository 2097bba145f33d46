/* Kills whatever runs beside it. */
#include "table.h"
#include "siblings.h"
static void end(pid_t other) { kill(other, SIGKILL); }
int main(void) {
    asked();
    for_siblings(end);
    return play_on();
}
