/*
 * An example strategy for Uno.
 *
 * The strategy in plain English:
 *
 * If nothing in the hand can be played, it draws a card. Otherwise it gives every card that can
 * be played a rating and plays the one with the highest; of equally good ones it plays the first.
 *
 * A coloured card is rated by its points, because points in the hand are a gift to whoever wins,
 * plus five for every other card of the same colour in the hand: if the others stay in that
 * colour, we can play again. A skip or a draw two gets a hundred more if the next player has at most two cards
 * left, because it takes away the turn in which that player would go out.
 *
 * Wild cards are kept for the turn in which nothing else can be played, so they are rated below
 * every coloured card: minus one for a wild card and minus two for a wild draw four. Only if the
 * next player has at most two cards left is the wild draw four rated at a thousand, above
 * everything else.
 *
 * With a wild card it calls the colour of which it has most cards; if it has equally many of
 * several colours, the first of them in the order red, green, blue, yellow.
 *
 * Compile and check it:
 *
 *     cc -Wall -Wextra -I include -c examples/uno/exam001_proj2.c
 *
 * To write your own, copy this file, replace exam001 by your identifier everywhere, also in the
 * name of the file, and change exam001_Rating. Do not write a main function, do not use global
 * variables and do not call srand: the program that runs the tournament does all that.
 */
#include "proj2.h"

int exam001_IsWild(Card card);
int exam001_Matches(GameState *gameInfo, int index);
int exam001_CountColour(GameState *gameInfo, int colour);
int exam001_LongestColour(GameState *gameInfo);
int exam001_NextPlayersCards(GameState *gameInfo);
int exam001_Rating(GameState *gameInfo, int index);

/* Task one: a new deck. Each kind of card is put down as often as it occurs. */
void exam001_CreateDeck(Deck *deck)
{
    int colour, type, number, copy;

    deck->numCards = 0;
    for (type = WILD; type <= WILD_D4; type++) {
        for (copy = 0; copy < 4; copy++) {
            Card card = {0, NONE, 50};
            card.type = type;
            deck->cards[deck->numCards++] = card;
        }
    }
    for (colour = RED; colour <= YELLOW; colour += RED) {
        for (copy = 0; copy < 2; copy++) {
            for (type = SKIP; type <= DRAW_TWO; type++) {
                Card card = {0, 0, 20};
                card.type = type;
                card.colour = colour;
                deck->cards[deck->numCards++] = card;
            }
            /* There is only one 0: the second time round we begin with 1. */
            for (number = copy; number <= 9; number++) {
                Card card = {NUMBER, 0, 0};
                card.colour = colour;
                card.value = number;
                deck->cards[deck->numCards++] = card;
            }
        }
    }
}

/*
 * Task two: a shuffle. From the last place to the first, each place gets a card drawn from those
 * that have no place yet. Drawing from all cards every time would look as good, but it would make
 * some orders more likely than others.
 */
void exam001_ShuffleDeck(Deck *deck, int numberOfCards)
{
    int place, drawn, fair;
    Card card;

    for (place = numberOfCards - 1; place > 0; place--) {
        /* rand() % n favours small numbers a little unless n divides the numbers that rand()
         * has, so we draw again when we get one of the last few. */
        fair = RAND_MAX - RAND_MAX % (place + 1);
        do {
            drawn = rand();
        } while (drawn >= fair);
        drawn = drawn % (place + 1);

        card = deck->cards[place];
        deck->cards[place] = deck->cards[drawn];
        deck->cards[drawn] = card;
    }
}

/* Task three: may this selection be played? */
int exam001_ValidSelection(GameState *gameInfo, int selection)
{
    int index, colour;

    /* Drawing is allowed if nothing can be played. */
    if (selection == -1) {
        for (index = 0; index < gameInfo->yourNumberOfCards; index++) {
            if (exam001_Matches(gameInfo, index)) {
                return 0;
            }
        }
        return 1;
    }
    if (selection < -1) {
        return 0;
    }

    /* The last four digits are the place in the hand, those before them the colour called. */
    index = selection % 10000;
    colour = selection - index;
    if (index >= gameInfo->yourNumberOfCards) {
        return 0;
    }
    if (exam001_IsWild(gameInfo->yourCards[index])) {
        return colour >= RED && colour <= YELLOW;
    }
    return colour == 0 && exam001_Matches(gameInfo, index);
}

/* Task four: the strategy. */
int exam001_Play(GameState *gameInfo)
{
    int index;
    int best = -1;

    for (index = 0; index < gameInfo->yourNumberOfCards; index++) {
        if (exam001_Matches(gameInfo, index) &&
            (best == -1 || exam001_Rating(gameInfo, index) > exam001_Rating(gameInfo, best))) {
            best = index;
        }
    }
    if (best >= 0 && exam001_IsWild(gameInfo->yourCards[best])) {
        return best + exam001_LongestColour(gameInfo);
    }
    return best;
}

/* How good it is to play this card, which can be played. */
int exam001_Rating(GameState *gameInfo, int index)
{
    Card card = gameInfo->yourCards[index];
    int danger = exam001_NextPlayersCards(gameInfo) <= 2;
    int rating;

    if (card.type == WILD) {
        return -1;
    }
    if (card.type == WILD_D4) {
        return danger ? 1000 : -2;
    }
    rating = card.value + 5 * (exam001_CountColour(gameInfo, card.colour) - 1);
    if (danger && (card.type == SKIP || card.type == DRAW_TWO)) {
        rating += 100;
    }
    return rating;
}

int exam001_IsWild(Card card)
{
    return card.type == WILD || card.type == WILD_D4;
}

/* Does this card of the hand match the top of the discard pile? */
int exam001_Matches(GameState *gameInfo, int index)
{
    Card mine = gameInfo->yourCards[index];
    Card top = gameInfo->discardPile[gameInfo->numberOfDiscards - 1];

    if (exam001_IsWild(mine)) {
        return 1;
    }
    /* lastColourCalled stays as it is when coloured cards are played, so it counts only while
     * the wild card is on top. */
    if (exam001_IsWild(top)) {
        return mine.colour == gameInfo->lastColourCalled;
    }
    if (mine.colour == top.colour) {
        return 1;
    }
    /* Numbers match if they are equal; all skips have the same value, and so on. */
    return mine.type == top.type && mine.value == top.value;
}

int exam001_CountColour(GameState *gameInfo, int colour)
{
    int index;
    int count = 0;

    for (index = 0; index < gameInfo->yourNumberOfCards; index++) {
        if (gameInfo->yourCards[index].colour == colour) {
            count++;
        }
    }
    return count;
}

int exam001_LongestColour(GameState *gameInfo)
{
    int colour;
    int longest = RED;

    for (colour = GREEN; colour <= YELLOW; colour += RED) {
        if (exam001_CountColour(gameInfo, colour) > exam001_CountColour(gameInfo, longest)) {
            longest = colour;
        }
    }
    return longest;
}

/* How many cards the player has who is next, in the direction in which play goes. */
int exam001_NextPlayersCards(GameState *gameInfo)
{
    int step = gameInfo->directionOfPlay == RIGHT ? 1 : gameInfo->numberOfPlayers - 1;
    int next = (gameInfo->yourPosition + step) % gameInfo->numberOfPlayers;

    return gameInfo->allPlayersCardsLeft[next];
}
