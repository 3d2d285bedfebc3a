/** The kernel may yield more candidates than the patterns allow, never fewer: compared with the naive prefilter on arbitrary patterns. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Detector, PrefilterRule } from '../detector.ts';
import { PatternError } from '../pattern/pattern-error.ts';
import { createKernel } from './kernel.ts';
import { FIELD_SCOPE, type Prefilter } from './prefilter.ts';
import { prefilterPlan } from './prefilter-plan.ts';
import { scalarPrefilter } from './scalar-prefilter.ts';

const WORDS = ['alpha', 'beta code', 'gamma'];
const MARGIN = 512;

const item = fc.constantFrom(
  ...['a', 'B', '7', '-', ' ', '@', 'ß', 'ab', '[ab]', '[A-C]', '[a-c7]', '[0-9A-C]', '[a-cA-C]', '[^a]'],
  ...[String.raw`\d`, String.raw`\d{2,4}`, '[a-c]{1,3}', '[a-cA-C7]{13}', '(?:ab|7B)', 'B?', '(?: -)?'],
);
const pattern = fc
  .tuple(
    fc.constantFrom('', String.raw`\b`),
    fc.array(item, { minLength: 2, maxLength: 4 }),
    fc.constantFrom('', '', String.raw`\b`),
  )
  .map(([start, items, end]) => start + items.join('') + end);
const prefilter: fc.Arbitrary<PrefilterRule> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ pattern }) },
  { weight: 2, arbitrary: fc.record({ pattern, labelled: fc.constant(true) }) },
);
const text = fc
  .array(
    fc.constantFrom(...[...'aabbcABC777-- @\n:="'], 'ß', 'key', 'alpha ', 'betaCode: ', 'gammas ', 'B7B'),
    {
      minLength: 40,
      maxLength: 200,
    },
  )
  .map((parts) => parts.join(''));

function detectorsOf(anchors: readonly (readonly PrefilterRule[])[]): Detector[] {
  return anchors.map(
    (some, n) => ({ prefilters: some, context: { words: [WORDS[n % 3]!] } }) as unknown as Detector,
  );
}

/** Every candidate position with its detectors. */
function asked(prefilter: Prefilter, text: string, named: boolean): Set<string> {
  const bytes = prefilter.window ?? Buffer.alloc(MARGIN * 8);
  bytes.fill(0);
  const to = MARGIN + bytes.write(text, MARGIN);
  const all = new Set<string>();
  for (let at = MARGIN; at < to; ) {
    const stopped = prefilter.findCandidates(bytes, at, to, named ? FIELD_SCOPE.columns : FIELD_SCOPE.near);
    for (let n = 0; n < prefilter.count; n++) {
      const place = prefilter.candidates[2 * n]! - prefilter.base;
      const id = prefilter.candidates[2 * n + 1]!;
      const whom = prefilter.detectorSetAt(id, bytes, place);
      for (const one of named ? whom.ifLabelled : whom.unconditional) all.add(`${place}:${one}`);
    }
    at = stopped;
  }
  return all;
}

function bothWays(prefilters: readonly (readonly PrefilterRule[])[]): [Prefilter, Prefilter] | null {
  try {
    const detectors = detectorsOf(prefilters);
    const kernel = createKernel(prefilterPlan(detectors))!;
    kernel.setColumnDetectors(detectors.map((_, n) => n));
    return [kernel, scalarPrefilter(prefilterPlan(detectors))];
  } catch (error) {
    if (error instanceof PatternError || error instanceof RangeError) return null; // a prefilter that is not allowed
    throw error;
  }
}

const prefilters = fc.array(fc.array(prefilter, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 5,
});

describe('the kernel of arbitrary prefilters', () => {
  it('stops wherever a pattern matches', () => {
    let compared = 0;
    fc.assert(
      fc.property(prefilters, fc.array(text, { minLength: 4, maxLength: 8 }), (some, texts) => {
        const finders = bothWays(some);
        if (finders === null) return;
        for (const each of texts) {
          const [fast, plain] = finders.map((prefilter) => asked(prefilter, each, false));
          compared += plain!.size;
          expect([...plain!].filter((one) => !fast!.has(one))).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
    expect(compared).toBeGreaterThan(100);
  });

  it('stops at values of a labelled column', () => {
    let compared = 0;
    fc.assert(
      fc.property(prefilters, fc.array(text, { minLength: 4, maxLength: 8 }), (some, texts) => {
        const finders = bothWays(some);
        if (finders === null) return;
        for (const each of texts) {
          const [fast, plain] = finders.map((prefilter) => asked(prefilter, each, true));
          // Label-gated patterns of numbers yield candidates only at the start of a number.
          const wanted = [...plain!].filter((one) => beginsThere(each, Number.parseInt(one, 10)));
          compared += wanted.length;
          expect(wanted.filter((one) => !fast!.has(one))).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
    expect(compared).toBeGreaterThan(20);
  });
});

function beginsThere(text: string, place: number): boolean {
  const before = Buffer.from(text)
    .toString('latin1')
    .slice(0, place - MARGIN);
  return !/[A-Za-z0-9](?:[-.])?$/.test(before);
}
