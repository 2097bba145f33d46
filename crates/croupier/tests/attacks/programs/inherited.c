/* Looks for files and words that it was not given. */
#include "table.h"
int main(void) {
    asked();
    for (int file = 3; file < 256; file++)
        if (fcntl(file, F_GETFD) >= 0)
            breach("an open file of somebody else");
    if (getenv("SECRET_OF_THE_HOUSE"))
        breach("the environment of the house");
    return play_on();
}
