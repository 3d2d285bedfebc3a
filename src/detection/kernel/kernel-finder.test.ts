import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anchorTables } from '../anchor-tables.ts';
import { AnchorBatch, type AnchorFinder, anchorFinder } from '../anchors.ts';
import { catalogue } from '../detectors/catalogue.ts';
import { kernelFinder } from './kernel-finder.ts';

const tables = anchorTables(catalogue);
const plain = anchorFinder(tables);
const kernel = kernelFinder(tables)!;

interface Pass {
  readonly anchors: string[];
  readonly line: number;
  readonly lineStart: number;
}

/** All anchors of a text that stands at `from` of a window, found in stretches of that size. */
function pass(finder: AnchorFinder, text: string, from: number, size: number): Pass {
  const bytes = Buffer.alloc(from + text.length + 256);
  const to = from + bytes.write(text, from, 'latin1');
  const batch = new AnchorBatch();
  batch.now.start = from;
  const anchors: string[] = [];
  for (let at = from; at < to; ) {
    at = finder.find(bytes, at, Math.min(to, at + size), batch);
    for (let n = 0; n < batch.count; n++) anchors.push(`${batch.at[n]}:${batch.set[n]}`);
  }
  return { anchors, line: batch.now.number, lineStart: batch.now.start };
}

function expectSame(text: string, from = 512, size = text.length + 1): void {
  expect(pass(kernel, text, from, size)).toEqual(pass(plain, text, from, text.length + 1));
}

const everything = catalogue
  .flatMap(({ examples }) => [...examples.match, ...examples.not])
  .map((example) => (typeof example === 'string' ? example : `${example.field ?? 'x'}: ${example.text}`))
  .join('\n');

describe('the kernel notes what the plain pass notes', () => {
  it('in every example of every detector, wherever a stretch ends', () => {
    expect(pass(kernel, everything, 512, 1e6).anchors.length).toBeGreaterThan(500);
    for (const size of [1, 3, 63, 64, 65, 200, 8191, 8192, 8193]) expectSame(everything, 512, size);
  });

  it('at every place of a block', () => {
    const sample = 'key="SSN 536-22-8741"\n\njane@acme.example 4539148803436467 ab::1 (212) GB82\n';
    for (let shift = 0; shift < 130; shift++) expectSame('.'.repeat(shift) + sample.repeat(3));
  });

  it('in tokens as long as a block and longer, across the end of a stretch', () => {
    for (const length of [61, 62, 63, 64, 65, 127, 128, 129, 9000])
      for (const before of [0, 1, 8100, 8191, 8192])
        expectSame(`${' '.repeat(before)}eyJ${'a1B'.repeat(length).slice(3, length)} passport 12345678\nx`);
  });

  it('where more is to note than a batch can hold', () => {
    for (const unit of ['(5', 'a@b ', '12-', 'mrn 12345678\n', '"password":', '::', '\n1:'])
      expectSame(unit.repeat(9000 / unit.length));
  });

  it('at the very beginning of a window', () => {
    for (const text of [':', 'ame=', 'SSN', '\n\n(5', 'a']) expectSame(text, 0);
  });

  it('in any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '\n',
        ' ',
        ':',
        '=',
        '>',
        '@',
        '(',
        '+',
        '-',
        '.',
        '"',
        '/',
        '\0',
        '\x80',
        '\xff',
        '[',
        '{',
        '`',
      ),
      fc.constantFrom(
        'SSN',
        'dob',
        'Mar',
        'eyJ',
        'BEGIN ',
        'password',
        'AB12',
        '2024',
        '123',
        'name',
        'x'.repeat(60),
      ),
      fc.string({ unit: 'binary-ascii', maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('a', 'Z', '0', '9'), maxLength: 40 }),
    );
    const text = fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 300 }), (sample, size) => expectSame(sample, 512, size)),
      { numRuns: 500 },
    );
  });
});
