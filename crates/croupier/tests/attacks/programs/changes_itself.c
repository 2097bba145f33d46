/* Puts another program in its own place, and plays on; tells where even that is forbidden. */
#include "table.h"
int main(int count, char **arguments) {
    char new[8192];
    asked();
    if (count < 1)
        return 1;
    strcpy(new, beside(arguments[0], "new"));
    int file = open(new, O_CREAT | O_WRONLY, 0700);
    const char *text = "#!/bin/sh\necho wild\n";
    if (file < 0 || write(file, text, strlen(text)) < 0)
        return play_on();
    close(file);
    if (rename(new, arguments[0]) == 0)
        fputs("changed\n", stderr);
    return play_on();
}
