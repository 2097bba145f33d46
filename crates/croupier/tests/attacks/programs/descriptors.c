/* Opens thousands of files at once. */
#include "table.h"
int main(void) {
    int opened = 0;
    asked();
    for (int i = 0; i < 5000; i++)
        opened += open("/dev/null", O_RDONLY) >= 0;
    if (opened > 256)
        breach("thousands of open files");
    return play_on();
}
