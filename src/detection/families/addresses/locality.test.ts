import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localityEnd } from './locality.ts';

/** The part of the text that is included in the address whose street precedes it. */
function localityOf(text: string): string {
  const bytes = Buffer.concat([Buffer.from(text), Buffer.alloc(200)]);
  return bytes.subarray(0, localityEnd(bytes, 0)).toString();
}

describe('the part of an address after the street', () => {
  it.each([
    ', Springfield, IL 62704',
    '\n44000 Nantes',
    ", 59650 Villeneuve-d'Ascq",
    ', Stratford-upon-Avon CV37 6QW',
    ', Saint-Maur-des-Fossés 94100',
    ', St. Gallen 9000',
    ', (St. Paul) Minneapolis 55401',
    ', San Juan, Spain (Europe)',
    '\r\nFrankfurt am Main, Germany',
  ])('%j belongs to it', (text) => {
    expect(localityOf(`${text}; and more`)).toBe(text);
  });

  it.each([', and then he left', ' Springfield', ', (SPRINGFIELD', ''])('%j does not', (text) => {
    expect(localityOf(text)).toBe('');
  });

  it.each(['A', 'Aa', 'A-', '-A', '-a-A', 'A. ', "A'", '\x80z', '(A', '(A ', ' a A', 'A\n'])(
    'words that could be cut in many ways (%j) are read in one',
    (unit) => {
      for (const head of [', ', ', (', '\n1234 ', ', Spain (']) localityOf(`${head}${unit.repeat(60)} 1`);
    },
  );

  it('parses lines of any content in linear time', () => {
    const letters = fc.constantFrom(..."AAAzz--  (().,'\n1", 'é', 'Spain', '12345');
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 140 }), (parts) => {
        const text = `, ${parts.join('')}`;
        expect(localityOf(text).length).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 3000 },
    );
  });
});
