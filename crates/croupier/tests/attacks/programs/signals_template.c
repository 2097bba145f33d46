/* Sends signals to whatever runs beside it, as messages to those after it, and looks for such messages. */
#include "table.h"
#include "siblings.h"
static void signal_it(pid_t other) {
    sigqueue(other, SIGRTMIN, (union sigval){7});
    kill(other, SIGUSR1);
    kill(other, SIGINT);
    kill(other, SIGWINCH);
}
int main(void) {
    sigset_t waiting;
    asked();
    sigpending(&waiting);
    for (int number = 1; number < 65; number++)
        if (sigismember(&waiting, number) > 0)
            breach("a signal from another decision");
    for_siblings(signal_it);
    return play_on();
}
