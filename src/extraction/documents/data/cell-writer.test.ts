import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import type { TextChunk } from '../../document-item.ts';
import { cellText } from '../../grid.ts';
import { CellWriter } from './cell-writer.ts';

function writer(columns: readonly string[] | null = ['a'], firstRow = 1): CellWriter {
  const out = new CellWriter(new ExtractionBudget(), 1e9);
  out.begin('here', columns, firstRow);
  return out;
}

function taken(out: CellWriter): { text: string; chunks: TextChunk[] } {
  const chunks: TextChunk[] = [];
  for (const chunk of out.take()) chunks.push({ ...chunk, text: Buffer.from(chunk.text) });
  return { text: Buffer.concat(chunks.map(({ text }) => text)).toString('utf8'), chunks };
}

describe('cells written as bytes', () => {
  it('a row is a line, values are parted by tabs, and missing ones at the end are left away', () => {
    const out = writer();
    out.ascii('one');
    out.nextCell();
    out.nextCell();
    out.text('three');
    out.nextCell();
    out.nextCell();
    out.endRow();
    out.nextCell(2);
    out.integer(-7);
    out.endRow();
    expect(taken(out).text).toBe('one\t\tthree\n\t\t-7\n');
  });

  it('labels every chunk with its table', () => {
    const out = writer(['mail', 'phone'], 12);
    out.text('a');
    out.endRow();
    expect(taken(out).chunks).toMatchObject([
      { is: 'text', location: 'here', grid: { columns: ['mail', 'phone'], cells: 'rows', firstRow: 12 } },
    ]);
  });

  it('rows before the first value are counted, not written; later ones are written', () => {
    const out = writer(['a'], 5);
    out.endRow();
    out.nextCell();
    out.endRow();
    out.text('x');
    out.endRow();
    out.endRow();
    const { text, chunks } = taken(out);
    expect(text).toBe('x\n\n');
    expect(chunks[0]?.grid?.firstRow).toBe(7);
  });

  it('a table without any value is no text', () => {
    const out = writer();
    for (let i = 0; i < 1000; i++) out.endRow();
    expect(taken(out).chunks).toEqual([]);
  });

  it('values of one cell are separated, keys and labels precede theirs', () => {
    const out = writer();
    for (const value of ['a', '', 'b']) {
      out.item();
      out.text(value);
    }
    out.nextCell();
    const key = Buffer.from('key');
    out.key(key, 0, 3); // its value is missing
    out.key(key, 0, 3);
    out.item();
    out.integer(5);
    out.nextCell();
    out.label(Buffer.from('missing'));
    out.label(Buffer.from('name'));
    out.item();
    out.text('Ada');
    out.endRow();
    expect(taken(out).text).toBe('a; b\tkey; key: 5\tname: Ada\n');
  });

  it('cleans values as other tables do', () => {
    const pieces = fc.constantFrom('\t', '\n', '\r', '"', 'a', ' ', 'é', '😀', 'x'.repeat(300));
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1 }), (parts) => {
        const out = writer();
        out.text(parts.join(''));
        out.endRow();
        expect(taken(out).text).toBe(`${cellText(parts.join(''))}\n`);
      }),
    );
  });

  it('writes integers as they are', () => {
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.bigInt()), (value) => {
        const out = writer();
        out.integer(value);
        out.endRow();
        expect(taken(out).text).toBe(`${value}\n`);
      }),
    );
    for (const value of [0, 9, 10, 999_999_999, 1e9, 1e9 + 1, -1e9, 2 ** 31, Number.MIN_SAFE_INTEGER]) {
      const out = writer();
      out.integer(value);
      out.endRow();
      expect(taken(out).text).toBe(`${value}\n`);
    }
  });

  it('a value in parts is one value, however it is split', () => {
    const value = Buffer.from(`ž😀"é`.repeat(20));
    fc.assert(
      fc.property(fc.array(fc.nat({ max: value.length })), (cuts) => {
        const out = writer();
        const at = [0, ...cuts.sort((a, b) => a - b), value.length];
        let text = '';
        for (let i = 1; i < at.length; i++) {
          out.bytes(value, at[i - 1]!, at[i]!);
          text += taken(out).text;
        }
        out.endRow();
        expect(text + taken(out).text).toBe(`${value}\n`);
      }),
    );
  });

  it('invalid UTF-8 is replaced, the rest is kept', () => {
    const out = writer();
    out.bytes(Buffer.from([0x61, 0xff, 0x62]), 0, 3);
    out.endRow();
    out.text('ž');
    out.endRow();
    expect(taken(out).text).toBe('a\ufffdb\nž\n');
  });

  it('long values come in chunks of a useful size', () => {
    const out = writer();
    out.text('x'.repeat(1e6));
    expect(out.full).toBe(true);
    out.endRow();
    const { text, chunks } = taken(out);
    expect(text).toBe(`${'x'.repeat(1e6)}\n`);
    expect(Math.max(...chunks.map((chunk) => chunk.text.length))).toBeLessThanOrEqual(64 * 1024);
  });

  it('more text than the file could hold is refused', () => {
    const out = new CellWriter(new ExtractionBudget({ ...DEFAULT_LIMITS, ratioFloor: 1000, ratio: 10 }), 200);
    out.begin(null, null, 1);
    out.text('x'.repeat(2000));
    expect(taken(out).text).toHaveLength(2000);
    out.text('x');
    expect(() => taken(out)).toThrow('limit: compression ratio');
  });

  it('a row that exceeds the memory limit is rejected', () => {
    const out = new CellWriter(new ExtractionBudget({ ...DEFAULT_LIMITS, documentMegabytes: 4 }), 1e9);
    out.begin(null, null, 1);
    out.text('x'.repeat(1e6));
    expect(() => out.text('x'.repeat(1e6))).toThrow('limit: row length');
    expect(taken(out).text).toHaveLength(1e6);
  });
});
