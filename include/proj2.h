/* The header that Uno strategies ask for by this name. */
#ifndef PROJ2_H
#define PROJ2_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "croupier_uno.h"

#endif
