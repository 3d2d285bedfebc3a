import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PageLines } from './lines.ts';
import type { TextItem } from './text-item.ts';

const HEIGHT = 10;
const WIDTH = 5; // of a character

interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly ends?: boolean;
  readonly turn?: number;
  readonly dir?: string;
  readonly height?: number;
}

function item({ x, y, text, ends = false, turn = 0, dir = 'ltr', height = HEIGHT }: Drawn): TextItem {
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const transform = [height * cos, height * sin, -height * sin, height * cos, x, y];
  return { str: text, dir, transform, width: WIDTH * text.length, height, hasEOL: ends };
}

function linesOf(...drawn: readonly Drawn[]): readonly string[] {
  const lines = new PageLines();
  for (const one of drawn) lines.add(item(one));
  return lines.text(false).lines;
}

const prose = 'running text of more than a few words';

describe('lines of a page', () => {
  it('may consist of very many text items', () => {
    const pieces = Array.from({ length: 300_000 }, (_, i): Drawn => ({ x: i * WIDTH, y: 0, text: 'a' }));
    const lines = new PageLines();
    for (const piece of pieces) lines.add(item(piece));
    expect(lines.text(false).lines).toEqual(['a'.repeat(300_000)]);
  });

  it.each<[string, Drawn[], string[]]>([
    [
      'letters that touch are one word',
      [
        { x: 0, y: 0, text: 'ab' },
        { x: 10, y: 0, text: 'cd' },
      ],
      ['abcd'],
    ],
    [
      'a gap is a space',
      [
        { x: 0, y: 0, text: '4111' },
        { x: 23, y: 0, text: '1111' },
      ],
      ['4111 1111'],
    ],
    [
      'a wide gap is a tab',
      [
        { x: 0, y: 0, text: 'Name' },
        { x: 60, y: 0, text: 'Maria' },
      ],
      ['Name\tMaria'],
    ],
    [
      'a space that is drawn is not drawn twice',
      [
        { x: 0, y: 0, text: 'a ' },
        { x: 13, y: 0, text: ' ' },
        { x: 11, y: 0, text: 'b' },
      ],
      ['a b'],
    ],
    [
      'what is drawn later to the left comes first',
      [
        { x: 100, y: 0, text: 'Maria' },
        { x: 0, y: 0, text: 'Name:' },
      ],
      ['Name:\tMaria'],
    ],
    [
      'what is filled in later joins its label',
      [
        { x: 0, y: 20, text: 'Name:', ends: true },
        { x: 0, y: 0, text: 'Card:', ends: true },
        { x: 60, y: 22, text: 'Maria', ends: true },
        { x: 60, y: -1, text: '4111', ends: true },
      ],
      ['Name:\tMaria', 'Card:\t4111'],
    ],
    [
      'columns of running text stay apart',
      [
        { x: 0, y: 20, text: `${prose} 1`, ends: true },
        { x: 0, y: 0, text: `${prose} 2`, ends: true },
        { x: 300, y: 20, text: `${prose} 3`, ends: true },
        { x: 300, y: 0, text: `${prose} 4`, ends: true },
      ],
      [`${prose} 1`, `${prose} 2`, `${prose} 3`, `${prose} 4`],
    ],
    [
      'raised numbers stay in their line',
      [
        { x: 0, y: 0, text: 'see' },
        { x: 15, y: 4, text: '7', height: 6 },
        { x: 23, y: 0, text: 'below' },
      ],
      ['see7 below'],
    ],
    [
      'text drawn twice for bold is yielded once',
      [
        { x: 0, y: 0, text: 'bold', ends: true },
        { x: 0.3, y: 0, text: 'bold', ends: true },
      ],
      ['bold'],
    ],
    [
      'text on text keeps its own line',
      [
        { x: 0, y: 0, text: 'under', ends: true },
        { x: 10, y: 0, text: 'above', ends: true },
      ],
      ['under', 'above'],
    ],
    [
      'turned text has lines of its own',
      [
        { x: 0, y: 0, text: 'level' },
        { x: 30, y: 0, text: 'upward', turn: 90 },
        { x: 30, y: 40, text: 'on', turn: 90 },
      ],
      ['level', 'upward on'],
    ],
    [
      'right to left goes from right to left',
      [
        { x: 0, y: 0, text: 'שלום', dir: 'rtl' },
        { x: 40, y: 0, text: 'עולם', dir: 'rtl' },
      ],
      ['עולם\tשלום'],
    ],
  ])('%s', (_, drawn, lines) => {
    expect(linesOf(...drawn)).toEqual(lines);
  });

  it('lose no character, for any positions', () => {
    const number = fc.oneof(fc.integer({ min: -50, max: 700 }), fc.double());
    const drawn = fc.record({
      x: number,
      y: number,
      text: fc.string({ minLength: 1, maxLength: 9 }),
      ends: fc.boolean(),
      turn: fc.constantFrom(0, 0, 0, 90, 17),
      dir: fc.constantFrom('ltr', 'rtl'),
    });
    // All are different, so that none is dropped as another's shadow.
    const all = fc
      .array(drawn, { maxLength: 60 })
      .map((list) => list.map((one, i) => ({ ...one, text: `${one.text}<${i}>` })));
    const letters = (texts: readonly string[]) => [...texts.join('').replace(/\s/g, '')].sort().join('');
    fc.assert(
      fc.property(all, (list) => {
        expect(letters(linesOf(...list))).toBe(letters(list.map(({ text }) => text)));
      }),
    );
  });
});
