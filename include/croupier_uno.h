/*
 * Uno for C programs.
 *
 * The types and numbers here are those for which Uno strategies are written. Link with
 * libcroupier_uno.a or libcroupier_uno.so for the four functions below: a deck, a shuffle, a
 * checker and a player.
 *
 *     cc -I include main.c target/release/libcroupier_uno.a -lm
 *     cc -I include main.c -L target/release -lcroupier_uno
 *
 * (with a glibc from before 2.34 the first one needs -lpthread -ldl too).
 */
#ifndef CROUPIER_UNO_H
#define CROUPIER_UNO_H

#include <stddef.h>

/*
 * A course has a proj2.h of its own, which defines the same constants and types. It may come
 * before this header or after it.
 *
 * If it came before, its types are used. If it comes after, it must find the names of the types
 * free: C does not let a type be defined twice, not even the same. So they are macros here, which
 * stand for types of ours until PENALTY is defined, and for those of proj2.h from there on (which
 * is why PENALTY is no macro here). The functions below take either; only a table of functions
 * in C++ or C23 wants proj2.h first.
 */
#if !(defined(WILD_D4) && defined(PENALTY) && defined(MAX_CARDS))

/* The types of cards. */
#define NUMBER 0
#define SKIP 1
#define REVERSE 2
#define DRAW_TWO 3
#define WILD 4
#define WILD_D4 5

/* What a hub may note of a turn in which the rules were broken; no card has this type. */
enum { PENALTY = 6 };

/* The direction of play: to the player with the next lower or the next higher index. */
#define LEFT 7
#define RIGHT 8

/* Colours. A wild card has none, and neither has a player who has called none yet. */
#define RED 10000
#define GREEN 20000
#define BLUE 30000
#define YELLOW 40000
#define NONE 50000

#define MAX_CARDS 108
#define MAX_PLAYERS 4

#define CROUPIER_UNO_JOINED(name, penalty) croupier_uno_##name##_##penalty
#define CROUPIER_UNO_NAME(name, penalty) CROUPIER_UNO_JOINED(name, penalty)
#define Card CROUPIER_UNO_NAME(Card, PENALTY)
#define Deck CROUPIER_UNO_NAME(Deck, PENALTY)
#define GameState CROUPIER_UNO_NAME(GameState, PENALTY)

/* A card. Its value is its points: the number itself, 20 for skip, reverse and draw two, 50 for
 * a wild card. */
typedef struct {
    int type;
    int colour;
    int value;
} Card;

/* Cards in a row, and how many they are. */
typedef struct {
    Card cards[MAX_CARDS];
    int numCards;
} Deck;

/* What a player is shown when it is to move. Lists with one entry a player are in the order of
 * the seats. */
typedef struct {
    int numberOfPlayers;                      /* always 4 */
    int directionOfPlay;                      /* LEFT or RIGHT */
    int lastColourCalled;                     /* with the last wild card; coloured cards leave it */
    int yourPosition;                         /* your seat, 0 to 3 */
    int yourNumberOfCards;
    Card yourCards[MAX_CARDS];                /* in the order in which you drew them */
    int numberOfDiscards;
    Card discardPile[MAX_CARDS];              /* from the bottom up: the last one is to be matched */
    int allPlayersCardsLeft[MAX_PLAYERS];
    int allPlayersColoursCalled[MAX_PLAYERS]; /* the last one of each in this game, or NONE */
    int allPlayersScores[MAX_PLAYERS];        /* from all games before this one */
} GameState;

#endif

/* Other people's compiled code relies on every byte of this. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define CROUPIER_UNO_CHECK(holds, what) static_assert(holds, what)
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define CROUPIER_UNO_CHECK(holds, what) _Static_assert(holds, what)
#endif
#ifdef CROUPIER_UNO_CHECK
CROUPIER_UNO_CHECK(sizeof(Card) == 12, "a Card has 12 bytes");
CROUPIER_UNO_CHECK(sizeof(Deck) == 1300, "a Deck has 1300 bytes");
CROUPIER_UNO_CHECK(sizeof(GameState) == 2664, "a GameState has 2664 bytes");
CROUPIER_UNO_CHECK(offsetof(GameState, yourCards) == 20, "yourCards is in its place");
CROUPIER_UNO_CHECK(offsetof(GameState, discardPile) == 1320, "discardPile is in its place");
CROUPIER_UNO_CHECK(offsetof(GameState, allPlayersScores) == 2648, "the scores are in their place");
#undef CROUPIER_UNO_CHECK
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef CROUPIER_UNO_NAME
/* The functions for the types of a proj2.h that comes later, whatever those are. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L)
void croupier_uno_CreateDeck_6(void *) __asm__("crou001_CreateDeck");
void croupier_uno_ShuffleDeck_6(void *, int) __asm__("crou001_ShuffleDeck");
int croupier_uno_ValidSelection_6(void *, int) __asm__("crou001_ValidSelection");
int croupier_uno_Play_6(void *) __asm__("crou001_Play");
#else
void croupier_uno_CreateDeck_6() __asm__("crou001_CreateDeck");
void croupier_uno_ShuffleDeck_6() __asm__("crou001_ShuffleDeck");
int croupier_uno_ValidSelection_6() __asm__("crou001_ValidSelection");
int croupier_uno_Play_6() __asm__("crou001_Play");
#endif
#define crou001_CreateDeck CROUPIER_UNO_NAME(CreateDeck, PENALTY)
#define crou001_ShuffleDeck CROUPIER_UNO_NAME(ShuffleDeck, PENALTY)
#define crou001_ValidSelection CROUPIER_UNO_NAME(ValidSelection, PENALTY)
#define crou001_Play CROUPIER_UNO_NAME(Play, PENALTY)
#endif

/* Makes a new deck: all 108 cards, not shuffled. NULL is left alone. */
void crou001_CreateDeck(Deck *deck) __asm__("crou001_CreateDeck");

/* Puts the first numberOfCards cards into a random order, each order equally likely, and touches
 * nothing else. Chance comes from rand(); call srand() yourself. A number below 1 does nothing,
 * one above MAX_CARDS means all cards. */
void crou001_ShuffleDeck(Deck *deck, int numberOfCards) __asm__("crou001_ShuffleDeck");

/* 1 if the selection may be played, otherwise 0. Looks at the hand, the top discard and
 * lastColourCalled only. A state without a hand or a top card, and NULL, have no valid
 * selection. */
int crou001_ValidSelection(GameState *gameInfo, int selection) __asm__("crou001_ValidSelection");

/* A selection: the place in yourCards of the card to be played, with the number of the colour
 * called added if it is a wild card; -1 to draw. Always valid if anything is; -1 otherwise. */
int crou001_Play(GameState *gameInfo) __asm__("crou001_Play");

#ifdef __cplusplus
}
#endif

#endif
