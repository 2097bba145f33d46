/* Reads a file of another bot, the folder it lies in, and what tells of the machine's people. */
#include "table.h"
#include <dirent.h>
int main(int count, char **arguments) {
    asked();
    const char *program = arguments[0];
    if (count > 0 && open(beside(program, "victim"), O_RDONLY) >= 0)
        breach("the file of another bot");
    if (opendir(beside(program, ".")))
        breach("the folder of another bot");
    if (open("/etc/passwd", O_RDONLY) >= 0)
        breach("the list of people");
    if (opendir("/tmp") || opendir("/home") || opendir("/root") || opendir("/"))
        breach("folders of people");
    return play_on();
}
