import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlankShifts } from './blank-shifts.ts';
import { catalogue } from './catalogue.ts';
import { createKernel } from './kernel/kernel.ts';
import { prefilterPlan } from './kernel/prefilter-plan.ts';
import { scalarPrefilter } from './kernel/scalar-prefilter.ts';
import { scanText } from './scan.fixture.ts';
import { createScanner } from './scanner.ts';
import { narrowBlanks } from './wide-blanks.ts';

const BLANKS = ['\u00a0', '\u2007', '\u2009', '\u202f'];
const scanner = createScanner(catalogue);
const prefilter = scalarPrefilter(prefilterPlan([]));
const [shifts, origin] = [new BlankShifts(), 0];

function narrowed(text: string | Buffer, latin = false): string {
  const bytes = Buffer.from(text as string);
  const window = Buffer.concat([Buffer.alloc(16), bytes, Buffer.alloc(80)]);
  narrowBlanks(window, 16, 16 + bytes.length, { last: true, latin, prefilter, shifts, origin });
  return window.subarray(16, 16 + bytes.length).toString(latin ? 'latin1' : 'utf8');
}

function found(text: string | Buffer, charset: 'utf-8' | 'latin1' = 'utf-8') {
  const context = { fieldAt: () => null, charset };
  return scanText(scanner, text, { context }).map(
    ({ detector, value, start, line }) => `${catalogue[detector]!.id} ${value} ${line}:${start}`,
  );
}

/** A binary string. */
function plain(bytes: string): string {
  return bytes.replace(/\xc2\xa0|\xe2\x80[\x87\x89\xaf]|\xa0/g, ' ');
}

describe('blanks that do not break a line', () => {
  it.each([
    ['4539 1488 0343 6467', 'CREDIT_CARD'],
    ['DE89 3704 0044 0532 0130 00', 'IBAN'],
    ['+44 20 7946 0958', 'PHONE'],
    ['(212) 555-0142', 'PHONE'],
  ])('between the groups of %s are like plain ones', (value, kind) => {
    for (const blank of BLANKS)
      expect(found(`é\nto ${value.replaceAll(' ', blank)}, thanks`)).toContain(`${kind} ${value} 2:6`);
    const latin = Buffer.from(`\xe9\nto ${value.replaceAll(' ', '\xa0')}, thanks`, 'latin1');
    expect(found(latin, 'latin1')).toContain(`${kind} ${value} 2:5`);
  });

  it('between the groups of a labelled number act like plain ones', () => {
    expect(found('my ssn is 536\u00a022\u00a08741')).toContain('SSN 536 22 8741 1:10');
    expect(found('my ssn is\u00a0536\u202f22\u00a08741')).toContain('SSN 536 22 8741 1:11');
  });

  it('leave all other bytes in place', () => {
    expect(narrowed('a 12\u00a034\u202f56, x\n7')).toBe('a 12 34 56   , x\n7');
    expect(narrowed('12\u00a034\u00a0\u00a056')).toBe('12 34 \u00a0\u00a056');
    for (const text of ['Mr\u00a0Smith', 'Jan\u00a05', 'why\u00a0?', '5\u00a0€', '“12”\u00a034', 'Ââ\u0080'])
      expect(narrowed(text)).toBe(text);
  });

  it('are one byte in single-byte encodings', () => {
    expect(narrowed(Buffer.from('12\xa034 \xe9', 'latin1'), true)).toBe('12 34 é');
  });

  it('never change the length, the lines or other characters, for any chunking', () => {
    const part = fc.constantFrom(
      '4539',
      '1',
      'a',
      'WEST',
      ...BLANKS,
      ' ',
      '\n',
      '-',
      '.',
      '(',
      ')',
      'é',
      '€',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.integer({ min: 1, max: 200 }), (parts, step) => {
        const text = parts.join('');
        const whole = narrowed(text);
        expect(Buffer.byteLength(whole)).toBe(Buffer.byteLength(text));
        const visible = (of: string) => of.replace(/[^\S\n]/gu, '');
        expect(visible(whole)).toBe(visible(text));
        const window = Buffer.concat([Buffer.alloc(16), Buffer.from(text), Buffer.alloc(80)]);
        const end = 16 + Buffer.byteLength(text);
        const narrowing = { last: false, latin: false, prefilter, shifts: new BlankShifts(), origin };
        let done = 16;
        for (let to = 16; to < end; to += step)
          done = narrowBlanks(window, done, Math.min(to, end), narrowing);
        narrowBlanks(window, done, end, { ...narrowing, last: true });
        expect(window.subarray(16, end).toString()).toBe(whole);
      }),
      { numRuns: 2000 },
    );
  });

  it('keep the exact position of a value, for any chunking', () => {
    const other = fc.oneof(
      fc.constantFrom(...BLANKS, ' ', '\n', 'é', '€', '漢字', '😀', 'x', '12', '7', ', ', '-', '(', ')'),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    );
    const groups = fc.constantFrom('4539 1488 0343 6467', 'DE89 3704 0044 0532 0130 00', '+44 20 7946 0958');
    const value = fc
      .tuple(groups, fc.array(fc.constantFrom(...BLANKS, ' '), { minLength: 5, maxLength: 5 }))
      .map(([text, blanks]) => text.replace(/ /g, (_, at: number) => blanks[at % blanks.length]!));
    let compared = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof(other, value), { maxLength: 40 }), fc.nat({ max: 50 }), (parts, size) => {
        const bytes = Buffer.from(parts.join(''));
        for (const { value: narrow, start, end } of scanText(scanner, bytes, { sizes: [size + 1] })) {
          const wide = bytes.subarray(start, end).toString();
          const read = Buffer.from(narrow, 'latin1').toString();
          expect(wide.replace(/[\u00a0\u2007\u2009\u202f]/g, ' ')).toBe(
            read.replace(/[\u00a0\u2007\u2009\u202f]/g, ' '),
          );
          if (wide !== read) compared++;
        }
      }),
      { numRuns: 1000 },
    );
    expect(compared).toBeGreaterThan(100);
  });

  it.each(['utf-8', 'latin1'] as const)(
    'change no place in texts of many windows (%s), however they are cut and whatever was before them',
    (charset) => {
      const values = [
        '4539 1488 0343 6467',
        'DE89 3704 0044 0532 0130 00',
        '+44 20 7946 0958',
        '536 22 8741',
      ];
      const others = ['12', '7', 'a', 'x1', 'ssn ', ', ', '\n', 'é', '-', '(', ')', ...BLANKS, ' '];
      const part = fc
        .tuple(fc.constantFrom(...values, ...others), fc.constantFrom(...BLANKS, ' '))
        .map(([text, blank]) => text.replaceAll(' ', blank) + blank);
      const parts = fc.array(part, { minLength: 500, maxLength: 500, size: 'max' });
      const sizes = fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 5 });
      const context = { fieldAt: () => null, charset };
      fc.assert(
        fc.property(parts, sizes, fc.nat({ max: 100 }), (some, cuts, shift) => {
          const block = some.join('');
          const text = 'z'.repeat(shift) + block.repeat(Math.ceil(400_000 / block.length));
          const bytes =
            charset === 'utf-8'
              ? Buffer.from(text)
              : Buffer.from(text.replace(/[\u2000-\u20ff]/g, '\xa0'), charset);
          const whole = scanText(createScanner(catalogue), bytes, { context });
          expect(scanText(scanner, bytes, { context, sizes: cuts })).toEqual(whole);
          for (const { start, end, value } of whole)
            expect(plain(bytes.toString('latin1', start, end))).toBe(plain(value));
        }),
        { numRuns: 6 },
      );
    },
  );

  it('are found by the kernel too', () => {
    const kernel = createKernel(prefilterPlan([]))!;
    const part = fc.constantFrom('a', '\u00a0', '\u2007', '\u2500', '\u0420', 'â', '12345678901234567', '😀');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.nat({ max: 40 }), (parts, from) => {
        const bytes = Buffer.from(parts.join(''));
        kernel.window.fill(0, 0, 512);
        kernel.window.set(bytes);
        const wanted = prefilter.blanks(kernel.window, from, bytes.length);
        const found = kernel.blanks(kernel.window, from, bytes.length);
        expect(Math.min(found, bytes.length)).toBe(Math.min(wanted, bytes.length));
      }),
    );
  });
});
