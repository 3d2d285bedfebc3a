import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, PdfFixture, quoted } from '../pdf.fixture.ts';
import { readWhole } from '../pdf-reading.fixture.ts';
import { closeUp, gapOf } from './letter-spacing.ts';

const VALUE = 'Mail joe@example.com Card 4111 1111 1111 1111';
const DIGIT = 0.556; // of Helvetica

async function page(content: string): Promise<string | undefined> {
  const pdf = new PdfFixture();
  return (await readWhole(pdf.build(pdf.pages([{ content }])))).texts['page 1'];
}

describe('letters with wide spacing', () => {
  it.each([1.25, 1.5, 2, 3, 5])('are words where they are spaced by %d of 12', async (spacing) => {
    expect(await page(`BT /F1 12 Tf ${spacing} Tc 20 700 Td ${quoted(VALUE)} Tj ET`)).toBe(`${VALUE}\n`);
  });

  it('are short words among long ones, even if parts are drawn together', () => {
    const words = ['o ffi c e', '+ 4 4', '2 0', '7 9 4 6'];
    const tight = words.map((word) =>
      word
        .split(' ')
        .slice(1)
        .map(() => gapOf(0.15, false)),
    );
    const gaps = tight.flatMap((within, i) => (i === 0 ? within : [gapOf(0.4, true), ...within]));
    expect(closeUp(words.join(' '), gaps)).toBe('office +44 20 7946');
  });

  it.each([120, 250, 400])('are words where each is moved by %d thousandths', async (move) => {
    const parts = [...VALUE].map((letter) => `${quoted(letter)} -${move}`);
    expect(await page(`BT /F1 12 Tf 20 700 Td [${parts.join(' ')}] TJ ET`)).toBe(`${VALUE}\n`);
  });

  it.each([2, 4, 7])('are words where each digit is placed by itself with %d between', async (between) => {
    const pitch = 12 * DIGIT + between;
    const letters = [...'4111 1111 1111 1111'].map((letter, i) => [20 + i * pitch, 700, letter] as const);
    const drawn = letters.filter(([, , letter]) => letter !== ' ');
    expect(await page(at(...drawn))).toBe('4111 1111 1111 1111\n');
    expect(await page(at(...drawn.toReversed()))).toBe('4111 1111 1111 1111\n');
  });

  it('are joined to a word next to ordinary ones', async () => {
    const content = `BT /F1 12 Tf 20 700 Td (Card number: ) Tj 3 Tc (4111111111111111) Tj 0 Tc ( if any) Tj ET`;
    expect(await page(content)).toBe('Card number: 4111111111111111 if any\n');
  });

  it('are joined with ligatures, which are drawn as one glyph', async () => {
    const parts = ['o', 'ff', 'i', 'c', 'e', '1', '2'].map((letter) => `${quoted(letter)} -400`);
    expect(await page(`BT /F1 12 Tf 20 700 Td [${parts.join(' ')}] TJ ET`)).toBe('office12\n');
  });

  it('are a word in boxes of a form', async () => {
    const boxes = [...'4111111111111111'].map((digit, i) => [20 + i * 18, 700, digit] as const);
    expect(await page(at(...boxes))).toBe('4111111111111111\n');
  });

  it.each([
    ['that are written so', 'BT /F1 12 Tf 20 700 Td (4 1 1 1 1 1 1 1) Tj ET', '4 1 1 1 1 1 1 1'],
    [
      'of columns',
      at(...[...'13579864'].map((digit, i) => [20 + i * 40, 700, digit] as const)),
      '1\t3\t5\t7\t9\t8\t6\t4',
    ],
    ['of a few columns', at([20, 700, '1'], [34, 700, '3'], [48, 700, '5'], [62, 700, '7']), '1 3 5 7'],
    [
      'among words that are as far apart',
      `BT /F1 12 Tf 20 700 Td [${'options 1 2 3 4 5 6 are for a or b'.split(' ').map((word) => `(${word}) -333`)}] TJ ET`,
      'options 1 2 3 4 5 6 are for a or b',
    ],
    [
      'of columns one of which has a number of two digits',
      at(
        ...['1', '2', '3', '4', '5', '12', '7', '8', '9'].map(
          (digit, i) => [20 + i * 20, 700, digit] as const,
        ),
      ),
      '1 2 3 4 5 12 7 8 9',
    ],
    [
      'of narrow columns one of which has a number of two digits',
      at(
        ...['1', '2', '3', '4', '5', '12', '7', '8', '9'].map(
          (digit, i) => [20 + i * 16, 700, digit] as const,
        ),
      ),
      '1 2 3 4 5 12 7 8 9',
    ],
    [
      'of columns one of which has a word',
      at(
        ...['Y', 'N', 'no', 'Y', 'Y', 'N', 'N', 'Y', 'N'].map((word, i) => [20 + i * 18, 700, word] as const),
      ),
      'Y N no Y Y N N Y N',
    ],
    ['that are dots of a leader', `BT /F1 12 Tf 3 Tc 20 700 Td (3..........) Tj ET`, `3${' .'.repeat(10)}`],
  ])('stay apart %s', async (_, content, text) => {
    expect(await page(content)).toBe(`${text}\n`);
  });

  it('lose only blanks, for any gaps', () => {
    const word = fc.oneof(fc.constantFrom('4', '1', 'a', '.', '@', 'to', ''), fc.string({ maxLength: 4 }));
    const gap = fc.oneof(fc.constantFrom(0.15, 0.3, 0.31, 0.9, Number.NaN), fc.double({ min: -3, max: 3 }));
    const pair = fc.tuple(word, gap, fc.constantFrom(' ', '\t'));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 40 }), fc.boolean(), (pairs, cut) => {
        const text = pairs.map(([letters, , blank]) => letters + blank).join('');
        const gaps = pairs.map(([, width]) => gapOf(Math.abs(width), width < 0));
        const closed = closeUp(text, cut ? gaps.slice(1) : gaps);
        expect(closed.replace(/[ \t]/g, '')).toBe(text.replace(/[ \t]/g, ''));
        expect(closed.length).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
