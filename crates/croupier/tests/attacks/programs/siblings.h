/* The processes beside a program: its template is among them, if it has one. */
#include <dirent.h>
#include <sys/syscall.h>

/* Calls this for the number of every process that has the same parent; where neither the parent nor
 * the others can be seen, for every number below the own one but the first. */
__attribute__((unused)) static void for_siblings(void (*call)(pid_t)) {
    char path[64];
    int sibling;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", getppid(), getppid());
    FILE *list = getppid() ? fopen(path, "r") : NULL;
    if (list) {
        while (fscanf(list, "%d", &sibling) == 1)
            if (sibling != getpid())
                call(sibling);
        fclose(list);
    } else if (getppid() == 0) {
        for (pid_t other = 2; other < getpid(); other++)
            call(other);
    }
}
