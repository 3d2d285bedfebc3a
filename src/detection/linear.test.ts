import { describe, expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';
import { LOOKAHEAD_BYTES, LOOKBEHIND_BYTES } from './detector.ts';
import { createKernel } from './kernel/kernel.ts';
import { FIELD_SCOPE } from './kernel/prefilter.ts';
import { prefilterPlan } from './kernel/prefilter-plan.ts';
import { Matcher, type Span } from './matcher.ts';

/** Buffers that count every access: single reads, and the length of every slice. */
function counted(text: string): { bytes: Buffer; accesses: () => number } {
  const target = Buffer.alloc(LOOKBEHIND_BYTES + text.length + LOOKAHEAD_BYTES);
  target.write(text, LOOKBEHIND_BYTES, 'latin1');
  let accesses = 0;
  const piece = (encoding: BufferEncoding, from: number, to: number) => {
    accesses += to - from;
    return target.toString(encoding, from, to);
  };
  const bytes = new Proxy(target, {
    get(_, name) {
      if (name === 'toString') return piece;
      accesses++;
      return target[Number(name)];
    },
  });
  return { bytes, accesses: () => accesses };
}

const kernel = createKernel(prefilterPlan(catalogue))!;
const report = new Float64Array(catalogue.length).fill(0.5);

function work(unit: string, size: number): number {
  const text = unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
  const { bytes, accesses } = counted(text);
  const out: Span[] = [];
  // The prefilter reads every byte once in any case; only accesses by verifiers are counted.
  kernel.window.fill(0, 0, LOOKBEHIND_BYTES + size + LOOKAHEAD_BYTES).write(text, LOOKBEHIND_BYTES, 'latin1');
  const matcher = new Matcher(catalogue, { report, floor: 0.3 }, () => kernel);
  matcher.run(bytes, LOOKBEHIND_BYTES, LOOKBEHIND_BYTES + size, 0, FIELD_SCOPE.columns, () => null, out);
  return accesses();
}

const SIZE = 12_000;
/** Maximum accesses per byte for any input; the worst input here needs about two thirds of it. */
const MAX_LOOKS = 320;

describe('hostile input', () => {
  it.each([
    'a@a@',
    'a.a.a.',
    'a@b.c.',
    '1234-',
    '1234 ',
    '123-45-6789 ',
    ':::',
    'a:',
    '12:',
    '1.',
    'password=',
    'password="',
    'password is ',
    'password ',
    '--password a1b2c3d4 ',
    'curl -u a:b ',
    'curl -',
    'ENV A ',
    "define('A_KEY', '",
    '"value": ',
    '{"value":',
    'variable "a" { default = ',
    'password: |\n',
    'key                                  = ',
    'heslo: ',
    'name: A ',
    'eyJa',
    'eyJa.',
    ' eyJa',
    '7',
    '5.5 ',
    'phone 55 ',
    'call me 123 456 78 ',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb ',
    'GB82 ',
    '-----BEGIN PRIVATE KEY-----',
    '://a:b',
    '+1',
    '(5',
    'Mr A. ',
    '1 A ',
    'BEGIN ',
    `12 High Street, (${'A'.repeat(60)} 1\n`,
    `12 High Street, ${'A-'.repeat(50)} 1\n`,
    `address: ${'Ab-'.repeat(30)}str 1x\n`,
    `Mr ${"A'".repeat(40)}\n`,
    '\n',
    '\0',
    '\xff',
  ])('of %j costs in proportion to its length', (unit) => {
    const once = work(unit, SIZE);
    expect(once / SIZE).toBeLessThan(MAX_LOOKS);
    expect(work(unit, 2 * SIZE)).toBeLessThan(2.2 * once + 2 * LOOKAHEAD_BYTES);
  });
});
