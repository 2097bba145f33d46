/* Writes outside its folder: new files, and everything that can be done to those of others. */
#include "table.h"
#include <sys/time.h>
#include <sys/xattr.h>
int main(int count, char **arguments) {
    char victim[8192], new[8192];
    asked();
    if (count < 1)
        return 1;
    strcpy(victim, beside(arguments[0], "victim"));
    strcpy(new, beside(arguments[0], "new"));
    int flags = O_CREAT | O_WRONLY;
    if (open(new, flags, 0600) >= 0 || open("/tmp/croupier-attack", flags, 0600) >= 0)
        breach("a new file");
    if (open("here", flags, 0600) >= 0)
        breach("a new file in its own folder");
    if (open(victim, O_WRONLY) >= 0 || truncate(victim, 0) == 0)
        breach("writing to a file");
    if (unlink(victim) == 0 || rename(victim, new) == 0)
        breach("removing a file");
    if (link(victim, new) == 0 || symlink(victim, new) == 0 || mkdir(new, 0700) == 0 || mkfifo(new, 0600) == 0)
        breach("a new name");
    if (chmod(victim, 0) == 0 || chmod(victim, 0755) == 0)
        breach("the mode of a file");
    if (chown(victim, -1, -1) == 0 || lchown(victim, getuid(), -1) == 0)
        breach("the owner of a file");
    if (utimes(victim, NULL) == 0)
        breach("the times of a file");
    if (setxattr(victim, "user.mine", "x", 1, 0) == 0)
        breach("the attributes of a file");
    return play_on();
}
