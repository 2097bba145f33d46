/* Fills the disk in the folder it is started in, with at most 64 MiB. */
#include "table.h"
int main(void) {
    static char chunk[1 << 20];
    asked();
    int file = open("fill", O_CREAT | O_WRONLY, 0600);
    if (file >= 0) {
        long written = 0;
        for (int part = 0; part < 64; part++) {
            long more = write(file, chunk, sizeof chunk);
            written += more > 0 ? more : 0;
        }
        if (written > 2 << 20)
            breach("a large file");
    }
    return play_on();
}
