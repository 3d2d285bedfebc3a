import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import { gather } from '../../items.fixture.ts';
import { readPicture } from '../picture.ts';
import { inMemory } from '../read-window.ts';
import * as draw from './metafile.fixture.ts';

const { emfOf, emfRecord, emfText, longs, shorts, wmfOf, wmfRecord, wmfText } = draw;

async function readMetafile(file: Buffer, ocr = false) {
  const { texts, error } = await gather(readPicture(inMemory(file), new ExtractionBudget(), { ocr }));
  const lines = texts.flatMap(({ text }) => text.trimEnd().split('\n'));
  return { lines, error, places: new Set(texts.map(({ location }) => location)) };
}

async function linesOf(file: Buffer): Promise<readonly string[]> {
  const { lines, error } = await readMetafile(file);
  expect(error).toBeNull();
  return lines;
}

const font = draw.emfFont(1, -10);
const bitmap = Buffer.alloc(1000);

describe('the text of an EMF picture', () => {
  it('is yielded with its position', async () => {
    const file = emfOf(emfText('Zoë Müller'), emfText('card 4111', { y: 30 }));
    expect(await readMetafile(file)).toEqual({
      lines: ['Zoë Müller', 'card 4111'],
      error: null,
      places: new Set(['picture']),
    });
  });

  it('is read in bytes, by the font, and in all the other ways of drawing', async () => {
    const file = emfOf(
      draw.emfFont(1, -10, 204),
      emfText(Buffer.from([0xcc, 0xe8, 0xf0])),
      draw.emfTexts('first of two', 'second of two'),
      draw.emfSmallText('small', 0x300),
      emfRecord(22, longs(24)),
      draw.emfSmallText('not so small', 0),
      draw.emfSmallText('w\u0456de', 0x100),
    );
    expect((await linesOf(file)).join('\n')).toBe(
      'Мир\nfirst of two\nsecond of two\nsmall\nnot so small\nwіde',
    );
  });

  it('is joined if one run continues where the last one ended', async () => {
    const file = emfOf(
      font,
      emfText('+49 30', { x: 100 }),
      emfText('12', { x: 130 }),
      emfText('34', { x: 140 }),
      emfText('and', { x: 153 }),
      emfText(' ', { x: 168 }),
      emfText('more', { x: 173 }),
      emfText('a cell', { x: 300 }),
      emfText('back', { x: 100 }),
      emfText('below', { x: 120, y: 12 }),
    );
    expect(await linesOf(file)).toEqual(['+49 301234 and more\ta cell', 'back', 'below']);
  });

  it('respects alignment and current position', async () => {
    const right = [emfRecord(22, longs(2)), emfText('ab', { x: 10 }), emfText('cd', { x: 20 })];
    const centred = [
      emfRecord(22, longs(6)),
      emfText('ef', { x: 5, y: 50 }),
      emfText('ghij', { x: 20, y: 50 }),
    ];
    const following = [
      emfRecord(22, longs(1)),
      emfRecord(27, longs(0, 100)),
      emfText('kl'),
      emfText('mn'),
      emfRecord(54, longs(0, 200)),
      emfText('op'),
    ];
    expect(await linesOf(emfOf(font, ...right, ...centred, ...following))).toEqual([
      'abcd',
      'efghij',
      'klmn',
      'op',
    ]);
  });

  it('is not joined across positions in different coordinates', async () => {
    const moved = emfRecord(35, Buffer.alloc(24));
    const saved = [emfRecord(33), moved, emfText('aside'), emfRecord(34, longs(-1))];
    const file = emfOf(font, emfText('one'), moved, emfText('two', { x: 15 }), ...saved, emfText('three'));
    expect(await linesOf(file)).toEqual(['one', 'two', 'aside', 'three']);
  });

  it('is empty for blanks, empty strings and glyph numbers', async () => {
    expect(await linesOf(emfOf(emfText('   '), emfText(''), emfRecord(75, bitmap)))).toEqual([]);
    expect(await readMetafile(emfOf(emfText('abc', { options: 0x10 })))).toMatchObject({
      lines: [],
      error: 'picture: OCR is off',
    });
  });

  it('is read in the newer records too, once', async () => {
    const strings = [draw.plusString('Invoice 17'), draw.plusDriverString('of May')] as const;
    const header = (flags: number) => draw.emfPlus([0x4001, flags, longs(0, 0, 0, 0)]);
    expect(await linesOf(emfOf(header(0), draw.emfPlus(...strings)))).toEqual(['Invoice 17', 'of May']);
    const dual = emfOf(header(1), draw.emfPlus(...strings), emfText('Invoice 17'));
    expect(await linesOf(dual)).toEqual(['Invoice 17', 'of May']);
    expect(await readMetafile(emfOf(draw.emfPlus(draw.plusDriverString('abc', 0))))).toMatchObject({
      lines: [],
    });
  });
});

describe('the text of a WMF picture', () => {
  it('is yielded with its position, whatever precedes the picture', async () => {
    const file = wmfOf(wmfText('the card'), draw.wmfPlainText('4111', 0, 40));
    for (const picture of [file, draw.placeable(file)])
      expect(await readMetafile(picture)).toEqual({
        lines: ['the card', '4111'],
        error: null,
        places: new Set(['picture']),
      });
  });

  it('is read by the font that was chosen by its number', async () => {
    const cyrillic = wmfText(Buffer.from([0xcc, 0xe8, 0xf0]), { y: 20 });
    const file = wmfOf(
      wmfRecord(0x02fa, Buffer.alloc(10)), // a pen, which has a number as well
      draw.wmfFont(-10, 204),
      draw.wmfFont(-10, 161),
      wmfRecord(0x012d, shorts(1)),
      cyrillic,
      wmfRecord(0x01f0, shorts(2)),
      draw.wmfFont(-10, 238), // reuses the free index
      wmfRecord(0x012d, shorts(2)),
      wmfText(Buffer.from([0x9d, 0x65]), { y: 50, options: 4 }),
    );
    expect(await linesOf(file)).toEqual(['Мир', 'ťe']);
  });

  it('is put together, with or without a measure', async () => {
    const file = wmfOf(
      draw.wmfFont(-10),
      wmfRecord(0x012d, shorts(0)),
      wmfText('030 12'),
      wmfText('34', { x: 30 }),
      wmfText('56', { x: 44 }),
      draw.wmfPlainText('030', 0, 40),
      draw.wmfPlainText('-', 15, 40),
      draw.wmfPlainText('77', 19, 40),
      draw.wmfPlainText('or', 33, 40),
      draw.wmfPlainText('less', 5, 40),
    );
    expect(await linesOf(file)).toEqual(['030 1234 56', '030-77 or', 'less']);
  });
});

describe('a picture of records', () => {
  it.each([
    ['EMF', emfOf(emfText('logo'), emfRecord(81, bitmap)), emfOf(emfRecord(81, bitmap))],
    ['WMF', wmfOf(wmfText('logo'), wmfRecord(0x0f43, bitmap)), wmfOf(wmfRecord(0x0f43, bitmap))],
  ])('that is nothing but a bitmap was not read: %s', async (kind, both, alone) => {
    expect(await readMetafile(both)).toMatchObject({ lines: ['logo'], error: null });
    expect((await readMetafile(alone)).error).toBe('picture: OCR is off');
    expect((await readMetafile(alone, true)).error).toBe(`unsupported format: bitmap in ${kind} image`);
  });

  it('without text is simply read', async () => {
    expect(await linesOf(emfOf(emfRecord(76, Buffer.alloc(92))))).toEqual([]);
    expect(await linesOf(draw.placeable(wmfOf()))).toEqual([]);
  });

  it('keeps what precedes a missing end', async () => {
    for (const [kind, file] of [
      ['EMF', emfOf(emfText('here'), emfText('gone', { y: 90 }))],
      ['WMF', wmfOf(wmfText('here'), wmfText('gone', { y: 90 }))],
    ] as const)
      expect(await readMetafile(file.subarray(0, -24))).toMatchObject({
        lines: ['here'],
        error: `corrupt: truncated ${kind} image`,
      });
  });

  const lying = (record: Buffer, at: number, value: number): Buffer => {
    record.writeUInt32LE(value, at);
    return record;
  };

  it.each([
    ['no length', emfOf(emfText('here'), longs(75, 0)), 'EMF'],
    ['too short a length', emfOf(emfText('here'), emfRecord(84, longs(1))), 'EMF'],
    ['more letters than there are', emfOf(emfText('here'), lying(emfText('x'), 44, 2 ** 31)), 'EMF'],
    ['letters elsewhere', emfOf(emfText('here'), lying(emfText('x'), 48, 2 ** 32 - 1)), 'EMF'],
    ['more texts than there are', emfOf(emfText('here'), lying(draw.emfTexts('x'), 36, 9)), 'EMF'],
    ['a comment that is too long', emfOf(emfText('here'), lying(draw.emfPlus(), 8, 999)), 'EMF'],
    [
      'newer records without a length',
      emfOf(emfText('here'), lying(draw.emfPlus(draw.plusString('x')), 20, 0)),
      'EMF+',
    ],
    [
      'newer texts that are too long',
      emfOf(emfText('here'), lying(draw.emfPlus(draw.plusString('x')), 36, 9)),
      'EMF+',
    ],
    ['no length', wmfOf(wmfText('here'), longs(0), shorts(0x0521)), 'WMF'],
    ['more letters than there are', wmfOf(wmfText('here'), wmfRecord(0x0521, shorts(99))), 'WMF'],
    ['more letters than there are', wmfOf(wmfText('here'), wmfRecord(0x0a32, shorts(0, 0, 99, 0))), 'WMF'],
  ])('is damaged where a record has %s', async (_, file, kind) => {
    expect(await readMetafile(file)).toMatchObject({ lines: ['here'], error: `corrupt: ${kind} image` });
  });

  it('does not repeat the same letters', async () => {
    const texts = draw.emfTexts(...Array.from({ length: 100 }, () => 'x'.repeat(100)));
    for (let i = 0; i < 100; i++) texts.writeUInt32LE(9000, 48 + 40 * i);
    for (let i = 0; i < 100; i++) texts.writeUInt32LE(4040, 52 + 40 * i);
    const { lines, error } = await readMetafile(emfOf(texts));
    expect(error).toBe('corrupt: EMF image');
    expect(lines.join('').length).toBeLessThan(texts.length);
  });

  it('allocates no memory for a false length', async () => {
    const file = emfOf(emfText('here'), longs(84, 2 ** 31));
    expect(await readMetafile(file)).toMatchObject({
      lines: ['here'],
      error: 'corrupt: truncated EMF image',
    });
  });
});
