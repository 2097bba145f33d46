/* Has others compute for it: grandchildren that are nobody's when they die, each for a moment. */
#include "table.h"
#include <sys/resource.h>
#include <sys/wait.h>
int main(void) {
    asked();
    alarm(200);
    for (;;) {
        int ends[2];
        char nothing;
        if (pipe(ends) != 0)
            return 1;
        if (fork() == 0) {
            if (fork() == 0) {
                struct rusage used;
                do
                    getrusage(RUSAGE_SELF, &used);
                while (used.ru_utime.tv_usec + used.ru_stime.tv_usec < 20000);
            }
            _exit(0);
        }
        wait(NULL);
        close(ends[1]);
        (void)!read(ends[0], &nothing, 1);
        close(ends[0]);
    }
}
