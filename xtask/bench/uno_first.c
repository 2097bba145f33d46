/* The least that plays Uno without fouls: the first card that can be played. */
#include "proj2.h"

static int is_wild(Card card)
{
    return card.type == WILD || card.type == WILD_D4;
}

int firs001_Play(GameState *gameInfo)
{
    Card top = gameInfo->discardPile[gameInfo->numberOfDiscards - 1];
    int colour = is_wild(top) ? gameInfo->lastColourCalled : top.colour;
    int index;

    for (index = 0; index < gameInfo->yourNumberOfCards; index++) {
        Card card = gameInfo->yourCards[index];
        if (is_wild(card)) {
            return RED + index;
        }
        if (card.colour == colour || (card.type == top.type && card.value == top.value)) {
            return index;
        }
    }
    return -1;
}
