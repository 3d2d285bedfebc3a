import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellText, columnLetters } from '../../../grid.ts';
import { readBack } from '../office.fixture.ts';
import { excel, sheetXml } from './excel.fixture.ts';
import { readExcel } from './excel.ts';

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Texts without what the format or the grid changes. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((each) => !/\p{Cc}|_x/u.test(each) && cellText(each) === each);
const value = fc.oneof(text, fc.integer(), fc.constant(null));
const rows = fc.array(
  fc.record({
    gap: fc.integer({ min: 0, max: 200 }),
    cells: fc.array(value, { minLength: 1, maxLength: 30 }).filter((cells) => cells.at(-1) !== null),
  }),
  { minLength: 1, maxLength: 20 },
);

describe('any sheet', () => {
  it('has each value in the cell where it was written', async () => {
    const property = fc.asyncProperty(rows, async (written) => {
      const strings: string[] = [];
      const expected = new Map<string, string>();
      let row = 0;
      const xml = written.map(({ gap, cells }) => {
        row += 1 + gap;
        const each = cells.map((cell, column) => {
          if (cell === null) return '';
          const name = `${columnLetters(column)}${row}`;
          expected.set(name, String(cell));
          if (typeof cell === 'number') return `<c r="${name}"><v>${cell}</v></c>`;
          return `<c r="${name}" t="s"><v>${strings.push(escaped(cell)) - 1}</v></c>`;
        });
        return `<row r="${row}">${each.join('')}</row>`;
      });
      const shared = strings.map((each) => `<t xml:space="preserve">${each}</t>`);
      const seen = await readBack(readExcel, excel({ A: sheetXml(xml.join('')) }, shared));
      expect(seen.error).toBeNull();
      const found = new Map<string, string>();
      for (const { text: lines, grid } of seen.texts)
        for (const [line, cells] of lines.slice(0, -1).split('\n').entries())
          for (const [column, cell] of cells.split('\t').entries())
            if (cell !== '') found.set(`${columnLetters(column)}${grid!.firstRow + line}`, cell);
      expect(found).toEqual(expected);
    });
    await fc.assert(property, { numRuns: 200 });
  }, 30_000);
});
