/* Writes as many files as it can into the folder in which it is started: at most 256 of 1 MiB, and then as many
   small ones. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static char piece[1 << 20];
int main(void) {
    long size = sizeof piece;
    for (int file = 0; file < 512; file++) {
        char name[32];
        snprintf(name, sizeof name, "file-%d", file);
        int open_file = open(name, O_CREAT | O_WRONLY, 0600);
        /* Who is gone from the folder takes its room as well while it is open. */
        if (file % 2 == 0)
            unlink(name);
        while (size > 0 && write(open_file, piece, size) < size)
            size /= 2;
    }
    return 3;
}
