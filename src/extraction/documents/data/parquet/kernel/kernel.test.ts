import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PageBytes } from '../bits.ts';
import { Runs } from '../runs.ts';
import { acquireKernel, BATCH, type Kernel, releaseKernel } from './kernel.ts';

const kernel = acquireKernel()!;

function heldTexts(by: Kernel, texts: readonly string[]): Uint8Array {
  const parts = texts.flatMap((text) => {
    const bytes = Buffer.from(text);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return [length, bytes];
  });
  return by.hold(Buffer.concat(parts));
}

describe('the kernel of Parquet pages', () => {
  it('writes values as rows, and nulls as empty ones', () => {
    kernel.begin();
    const page = heldTexts(kernel, ['ada', '', '"eve']);
    kernel.definitions.set([1, 0, 1, 1]);
    const { row, at, text } = kernel.writePlain(page, 0, page.length, { from: 0, to: 4, defined: 1 }, 14);
    expect([row, at, Buffer.from(text).toString()]).toEqual([4, page.length, "ada\n\n\n'eve\n"]);
  });

  it.each([
    ['a line end', ['ada', 'two\nlines'], 14],
    ['a control character where that decides', ['ada', 'a\u001fb'], 32],
    ['a letter beyond ASCII where that decides', ['ada', 'café'], 32],
    ['more than there is room for', ['ada', 'x'.repeat(100_000)], 14],
  ])('stops before %s', (_, texts, min) => {
    kernel.begin();
    const page = heldTexts(kernel, texts);
    const { row, at, text } = kernel.writePlain(page, 0, page.length, { from: 0, to: 2, defined: null }, min);
    expect([row, at, Buffer.from(text).toString()]).toEqual([1, 7, 'ada\n']);
  });

  it('stops before a value that extends past the end of the page', () => {
    kernel.begin();
    const page = heldTexts(kernel, ['ada', 'bob']);
    for (const end of [13, 9, 7])
      expect(kernel.writePlain(page, 0, end, { from: 0, to: 2, defined: null }, 14)).toMatchObject({
        row: 1,
        at: 7,
      });
  });

  it('reads no byte outside the value', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 40, unit: fc.constantFrom('a', 'ž', '~') }), { maxLength: 50 }),
        (texts) => {
          kernel.begin();
          const page = heldTexts(kernel, [...texts, '\n']);
          const rows = { from: 0, to: texts.length + 1, defined: null };
          const { row, text } = kernel.writePlain(page, 0, page.length, rows, 14);
          expect([row, Buffer.from(text).toString()]).toEqual([
            texts.length,
            texts.map((one) => `${one}\n`).join(''),
          ]);
        },
      ),
    );
  });

  it('writes values of a dictionary, also after it had to take more memory', () => {
    const own = acquireKernel()!;
    expect(own.keepDictionary(Buffer.from('ada\n\na longer text than sixteen\n'), 3)).toBe(true);
    const size = own.size;
    expect(own.holds(own.hold(new Uint8Array(size)))).toBe(true);
    expect(own.size).toBeGreaterThan(size);
    own.indexes.set([2, 0, 1, 3]);
    const { row, at, text } = own.writeIndexed(0, 4, { from: 0, to: 4, defined: null });
    expect([row, at, Buffer.from(text).toString()]).toEqual([3, 3, 'a longer text than sixteen\nada\n\n']);
  });

  it('leaves to others what is too large', () => {
    const large = new Uint8Array(65 * 1024 * 1024);
    expect(kernel.hold(large)).toBe(large);
    expect(kernel.unpackSnappy(new Uint8Array(10), large.length)).toBeUndefined();
  });

  it('is one for each reader', () => {
    const [one, other] = [acquireKernel(), acquireKernel()];
    expect(one).not.toBe(other);
    releaseKernel(one);
    expect(acquireKernel()).toBe(one);
  });
});

describe('numbers in runs', () => {
  const numbers = fc.integer({ min: 0, max: 24 }).chain((width) =>
    fc.record({
      width: fc.constant(width),
      bytes: fc.uint8Array({ maxLength: 300 }),
      first: fc.integer({ min: 0, max: 20 }),
    }),
  );

  it('are the same at once and one by one, up to where they are damaged', () => {
    fc.assert(
      fc.property(numbers, ({ width, bytes, first }) => {
        kernel.begin();
        const page = kernel.hold(bytes);
        const [slow, fast] = [bytes, page].map((each) => new Runs(new PageBytes(each), width)) as [
          Runs,
          Runs,
        ];
        for (let i = 0; i < first; i++) {
          attempt(() => fast.next());
          if (attempt(() => slow.next()) === 'damaged') return;
        }
        for (let round = 0; round < 3; round++) {
          const count = fast.fillIndexes(kernel, BATCH);
          const indexes = [...kernel.indexes.subarray(0, count)];
          expect(indexes).toEqual(Array.from({ length: count }, () => slow.next()));
          const next = attempt(() => fast.next());
          expect(next).toBe(attempt(() => slow.next()));
          if (next === 'damaged') return;
        }
      }),
      { numRuns: 300 },
    );
  });
});

function attempt(next: () => number): number | string {
  try {
    return next();
  } catch {
    return 'damaged';
  }
}
