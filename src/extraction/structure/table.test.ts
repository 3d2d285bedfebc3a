import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableColumns } from './table.ts';

/** The field at the first occurrence of `value`. */
function fieldOf(table: string, value: string, format: 'csv' | 'tsv' = 'csv'): string | null {
  const bytes = Buffer.from(table);
  return tableColumns(bytes, format).fieldAt(bytes, bytes.indexOf(value));
}

describe('columns of a table', () => {
  it('have the names of the head, in order; without a head there are none', () => {
    const table = Buffer.from('id,"full, name",\n1,Ann,x\n');
    expect(tableColumns(table, 'csv')).toMatchObject({
      fieldScope: 'columns',
      columns: ['id', 'full, name', ''],
    });
    const nameless = tableColumns(Buffer.from('12345,ann\n'), 'csv');
    expect(nameless.fieldScope).toBe('near');
    expect(nameless.columns).toBeUndefined();
  });

  it.each([',', ';', '\t', '|'])('the delimiter %j is found out', (d) => {
    expect(
      fieldOf(`id${d}name${d}email\n1${d}Ann, Ms; x${d}ann@example.com\n`.replace(', Ms; x', ''), 'ann@'),
    ).toBe('email');
  });

  it('quoted names and values, delimiters and line breaks within them', () => {
    const table = 'id,"full ""name""",note\r\n1,"Smith, Ann","one\r\ntwo, three\r\nfour"\r\n2,x,"y"\r\n';
    expect(fieldOf(table, 'Smith')).toBe('full "name"');
    expect(fieldOf(table, 'Ann')).toBe('full "name"');
    expect(fieldOf(table, 'two')).toBe('note');
    expect(fieldOf(table, 'three')).toBe('note');
    expect(fieldOf(table, 'four')).toBe('note');
    expect(fieldOf(table, 'x,"y')).toBe('full "name"');
    expect(fieldOf(table, 'y"')).toBe('note');
  });

  it('a quote in the middle of a value is a letter like any other', () => {
    expect(fieldOf('size,what\n5" wide,pipe\n', 'pipe')).toBe('what');
  });

  it.each([
    '1,ann,x\n2,bob,y\n',
    'ann@example.com,ann\nb@example.com,bob\n',
    '4111111111111111,x\n',
    'only one row',
  ])('a first row of values is no header: %j', (table) => {
    const bytes = Buffer.from(table);
    expect(tableColumns(bytes, 'csv').fieldAt(bytes, bytes.length - 1)).toBeNull();
  });

  it('a row that begins before the window is not guessed at', () => {
    const { fieldAt: columns } = tableColumns(Buffer.from('a,b,c\n1,2,3\n'), 'csv');
    expect(columns(Buffer.from('x,2,3\n4,5,6\n'), 2)).toBeNull();
    expect(columns(Buffer.from('x,2,3\n4,5,6\n'), 8)).toBe('b');
  });

  it('a column whose head is empty has no name', () => {
    expect(fieldOf('|A\n7|8\n', '7')).toBeNull();
    expect(fieldOf('|A\n7|8\n', '8')).toBe('A');
  });

  it('columns beyond the header have no name', () => {
    expect(fieldOf('a,b\n1,2,three\n', 'three')).toBeNull();
  });

  it('in tsv only tabs part', () => {
    expect(fieldOf('a, x\tb\n1, 2\tthree\n', 'three', 'tsv')).toBe('b');
  });
});

describe('against a straightforward parser', () => {
  const cell = fc
    .array(fc.constantFrom('a', 'b', ' ', ',', '"', '\n', '""', ',"', '",'), { maxLength: 6 })
    .map((c) => c.join(''));
  const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 8 });

  it('every byte of every value is in its column', () => {
    let compared = 0;
    fc.assert(
      fc.property(rows, (values) => {
        const { text, columns } = written([['one', 'two', 'three'], ...values]);
        const bytes = Buffer.from(text);
        const { fieldAt } = tableColumns(bytes, 'csv');
        for (let at = 'one,two,three\n'.length; at < bytes.length; at++) {
          if (columns[at] === undefined) continue;
          expect(fieldAt(bytes, at)).toBe(columns[at]);
          compared++;
        }
      }),
      { numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(1000);
  });

  /** Writes the table and notes for each byte which column it belongs to. */
  function written(rows: readonly (readonly string[])[]): { text: string; columns: (string | undefined)[] } {
    let text = '';
    const columns: (string | undefined)[] = [];
    for (const row of rows) {
      for (const [i, value] of row.entries()) {
        const quoted = /[",\n]/.test(value);
        if (quoted) text += '"';
        for (const character of value) {
          columns[text.length] = rows[0]?.[i];
          text += character === '"' ? '""' : character;
        }
        if (quoted) text += '"';
        text += i < row.length - 1 ? ',' : '\n';
      }
    }
    return { text, columns };
  }
});
