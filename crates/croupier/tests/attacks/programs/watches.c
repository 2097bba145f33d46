/* Wants to be told the names of files that come and go in folders that it may not even read. */
#include "table.h"
#include <sys/inotify.h>
int main(int count, char **arguments) {
    (void)count;
    asked();
    int events = inotify_init1(IN_NONBLOCK);
    const char *folders[] = {"/tmp", "/", "..", beside(arguments[0], "")};
    for (int i = 0; i < 4; i++)
        if (inotify_add_watch(events, folders[i], IN_ALL_EVENTS) >= 0)
            breach(folders[i]);
    return play_on();
}
