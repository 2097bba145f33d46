/* Stops whatever runs beside it. */
#include "table.h"
#include "siblings.h"
static void stop(pid_t other) { kill(other, SIGSTOP); }
int main(void) {
    asked();
    for_siblings(stop);
    return play_on();
}
