/* Answers with one line of a gigabyte. */
#include "table.h"
int main(void) {
    static char chunk[1 << 16];
    memset(chunk, 'w', sizeof chunk);
    asked();
    for (int part = 0; part < 1 << 14; part++)
        fwrite(chunk, 1, sizeof chunk, stdout);
    puts("");
    return play_on();
}
