// Cards, hands and the 13x13 grid, numbered as types.ts says.

export const RANKS = "23456789TJQKA";
export const RANKS_DOWN = "AKQJT98765432";
export const SUITS = "cdhs";
export const SUITS_DOWN = "shdc";
export const SUIT_SIGN: Record<string, string> = { c: "♣", d: "♦", h: "♥", s: "♠" };
export const SUIT_NAME: Record<string, string> = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
export const NUM_CELLS = 169;
export const NUM_COMBOS = 1326;

export function cardText(card: number): string {
  return RANKS.charAt(card >> 2) + SUITS.charAt(card & 3);
}
export function cardNumber(text: string): number {
  return RANKS.indexOf(text.charAt(0)) * 4 + SUITS.indexOf(text.charAt(1));
}

export function comboNumber(a: number, b: number): number {
  const high = Math.max(a, b);
  const low = Math.min(a, b);
  return (high * (high - 1)) / 2 + low;
}

// Of each of the 1326 hands: its cards (the higher one first), its text and its cell.
export interface Combo {
  high: number;
  low: number;
  text: string;
  cell: number;
}
export const COMBOS: readonly Combo[] = makeCombos();

function makeCombos(): Combo[] {
  const all: Combo[] = [];
  for (let high = 1; high < 52; high++) {
    for (let low = 0; low < high; low++) {
      all.push({ high, low, text: cardText(high) + cardText(low), cell: cellOf(high, low) });
    }
  }
  return all;
}

function cellOf(high: number, low: number): number {
  const first = 12 - (high >> 2);
  const second = 12 - (low >> 2);
  const suited = (high & 3) === (low & 3);
  return suited ? first * 13 + second : second * 13 + first;
}

export function cellName(cell: number): string {
  const row = Math.floor(cell / 13);
  const column = cell % 13;
  const ranks = RANKS_DOWN.charAt(Math.min(row, column)) + RANKS_DOWN.charAt(Math.max(row, column));
  return ranks + (row === column ? "" : row < column ? "s" : "o");
}
export const CELL_NAMES: readonly string[] = Array.from({ length: NUM_CELLS }, (_, cell) => cellName(cell));

// The hands of each cell.
export const CELL_COMBOS: readonly (readonly number[])[] = CELL_NAMES.map((_, cell) =>
  COMBOS.flatMap((combo, number) => (combo.cell === cell ? [number] : [])).reverse(),
);

// Of a text such as "Td 9d 6h"; null where it is none, or where a card is there twice.
export function parseCards(text: string): string[] | null {
  const tidy = text.replace(/[\s,]/g, "");
  if (!/^([2-9TJQKAtjqka][cdhsCDHS])*$/.test(tidy)) return null;
  const cards = tidy.match(/../g) ?? [];
  const named = cards.map((card) => card.charAt(0).toUpperCase() + card.charAt(1).toLowerCase());
  return new Set(named).size === named.length ? named : null;
}

export function blockedBy(board: readonly string[]): (combo: number) => boolean {
  const dead = new Set(board.map(cardNumber));
  return (number) => {
    const combo = COMBOS[number];
    return combo === undefined || dead.has(combo.high) || dead.has(combo.low);
  };
}

export function isCard(step: string): boolean {
  return /^[2-9TJQKA][cdhs]$/.test(step);
}

// Whether a filter such as "AKs, AhKh, QQ, Kh" names the hand: its cell, its text in any order, its ranks,
// or a card of it.
export function handMatches(filter: string, hand: string, cell: string): boolean {
  const words = filter.split(/[\s,]+/).filter(Boolean);
  if (words.length === 0) return true;
  const turned = hand.slice(2) + hand.slice(0, 2);
  return words.some((raw) => {
    const word = raw.toLowerCase();
    if (word.length === 4) return hand.toLowerCase() === word || turned.toLowerCase() === word;
    if (word.length === 2 && "cdhs".includes(word.charAt(1))) return hand.toLowerCase().includes(word);
    return cell.toLowerCase().startsWith(word);
  });
}
