import { describe, expect, it } from 'vitest';
import { bookletLineChecks, cardLineChecks, isCardTop } from './mrz.ts';

const PASSPORT = 'L898902C36UTO7408122F1204159ZE184226B<<<<<10';
const TWO_LINES = 'D231458907UTO7408122F1204159<<<<<<<6';
const TOP = 'I<UTOD231458907<<<<<<<<<<<<<<<';
const CARD = '7408122F1204159UTO<<<<<<<<<<<6';

/** The line with each of its digits raised by one. */
function misprints(line: string): string[] {
  return [...line].flatMap((c, i) =>
    c >= '0' && c <= '9' ? [line.slice(0, i) + ((Number(c) + 1) % 10) + line.slice(i + 1)] : [],
  );
}

describe("the specimens of ICAO 9303 (Anna Maria Eriksson's passport and cards)", () => {
  it.each([PASSPORT, TWO_LINES])('accepts %s', (line) => {
    expect(bookletLineChecks(line)).toBe(true);
  });

  it('accepts the card in three lines', () => {
    expect(isCardTop(TOP)).toBe(true);
    expect(cardLineChecks(CARD, TOP)).toBe(true);
    expect(cardLineChecks(CARD, null)).toBe(true);
  });

  it('rejects every line with one digit wrong', () => {
    expect(misprints(PASSPORT).filter(bookletLineChecks)).toEqual([]);
    expect(misprints(TWO_LINES).filter(bookletLineChecks)).toEqual([]);
    expect(misprints(CARD).filter((line) => cardLineChecks(line, TOP))).toEqual([]);
  });

  it('rejects a card joined with the top of another', () => {
    expect(cardLineChecks(CARD, 'I<UTOD231458915<<<<<<<<<<<<<<<')).toBe(false);
  });
});
