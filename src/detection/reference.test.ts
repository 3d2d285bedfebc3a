import { afterAll, describe, expect, it, vi } from 'vitest';
import { Random } from '../../examples/generator/random.ts';
import { catalogue } from './catalogue.ts';
import type { Detector } from './detector.ts';
import { FuzzTexts, TEXT_KINDS, type TextKind } from './fuzz-texts.fixture.ts';
import { scalarPrefilter } from './kernel/scalar-prefilter.ts';
import { checksSlowly, findSlowly, KINDS } from './reference.fixture.ts';
import { type Found, scanText } from './scan.fixture.ts';
import { createScanner } from './scanner.ts';
import type { TextContext } from './spans.ts';

vi.setConfig({ testTimeout: 120_000 });

/**
 * Differential tests: the scanner, one expression and one check per type (reference.fixture.ts), and the scanner with the naive
 * prefilter. Over random bytes, real files, and fragments of the detectors' own examples.
 */
const SEED = Number(process.env.SEINE_FUZZ_SEED ?? 1);
const KNOWN = KINDS.length;
let cases = 0;
afterAll(() => process.stdout.write(`reference: ${cases} cases compared, seed ${SEED}\n`));

/** Reports everything regardless of confidence: context is not part of the comparison. */
const scanner = createScanner(catalogue, { minConfidence: 0 });

function textsOf(stream: string): FuzzTexts {
  return new FuzzTexts(new Random(SEED, stream));
}

describe(`against an expression and a check each, for ${KNOWN} types`, () => {
  it.each([
    ['random', 300],
    ['real', 600],
    ['adversarial', 900],
  ] as const)('the scanner loses and invents nothing in %s bytes, %i texts', (kind, count) => {
    const [texts, random] = [textsOf(`reference ${kind}`), new Random(SEED, 'samples')];
    let known = 0;
    for (let n = 0; n < count; n++) {
      const text = withSamples(texts.next(kind, random.int(20, 1500)), random);
      known += expectSame(text.toString('latin1'));
    }
    expect(known).toBeGreaterThan(count / 2);
  });
});

/** Returns the number of values that the reference found. */
function expectSame(text: string): number {
  cases++;
  const found = scanText(scanner, Buffer.from(text, 'latin1'));
  const slow = findSlowly(text);
  for (const { id, start, end } of slow) {
    const isFound = found.some(
      (span) => span.start < end && start < span.end && claims(span, id, start, end),
    );
    if (!isFound) expect({ lost: id, value: text.slice(start, end), text }).toEqual(null);
  }
  for (const { detector, value } of found) {
    const { id } = catalogue[detector]!;
    if (checksSlowly(id, value) === false) expect({ invented: id, value, text }).toEqual(null);
  }
  return slow.length;
}

/** As the same type, or covered by a longer value or by the one it lost the overlap to. */
function claims(span: Found, id: string, start: number, end: number): boolean {
  if (catalogue[span.detector]!.id === id) return true;
  return span.end - span.start >= end - start || span.contested !== null;
}

const samples = catalogue
  .filter(({ id }) => KINDS.some((kind) => kind.id === id))
  .flatMap(({ examples }) => examples.match)
  .map((example) => (typeof example === 'string' ? example : example.text));

/** Random bytes rarely contain a valid number, so some are inserted, delimited or not. */
function withSamples(text: Buffer, random: Random): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < text.length; ) {
    const to = at + random.int(20, 400);
    const border = random.pick([' ', '\n', ',', '"', ' ; ', '-', '', '\t|']);
    pieces.push(text.subarray(at, to), Buffer.from(`${border}${random.pick(samples)}${border}`));
    at = to;
  }
  return Buffer.concat(pieces);
}

describe('against the scalar prefilter', () => {
  // The naive prefilter runs everything everywhere; with a subset of the detectors it is fast enough for many texts.
  const PARTS = 12;
  it.each(TEXT_KINDS)('the kernel finds the same in %s bytes', (kind) => {
    const [texts, random] = [textsOf(`plain ${kind}`), new Random(SEED, 'sizes')];
    for (let part = 0; part < PARTS; part++) {
      const own = catalogue.filter((_, index) => index % PARTS === part);
      comparePasses(own, 60, () => texts.next(kind, random.int(10, 300)));
    }
  });

  it('the kernel finds the same with all detectors at once', () => {
    const [texts, random] = [textsOf('all at once'), new Random(SEED, 'sizes')];
    comparePasses(catalogue, 200, () => texts.next('adversarial', random.int(10, 200)));
  });
});

const CONTEXTS: readonly TextContext[] = [
  { fieldAt: () => null, fieldScope: 'near' },
  { fieldAt: () => null, fieldScope: 'lists' },
  { fieldAt: () => null },
];

function comparePasses(detectors: readonly Detector[], count: number, next: () => Buffer): void {
  const fast = createScanner(detectors);
  const plain = createScanner(detectors, { createPrefilter: scalarPrefilter });
  for (let n = 0; n < count; n++) {
    const text = next();
    const context = CONTEXTS[n % CONTEXTS.length]!;
    cases++;
    expect({
      naming: context.fieldScope,
      text: text.toString('latin1'),
      found: scanText(fast, text, { context }),
    }).toEqual({
      naming: context.fieldScope,
      text: text.toString('latin1'),
      found: scanText(plain, text, { context }),
    });
  }
}

describe('chunks', () => {
  it.each(TEXT_KINDS)('of every size from 1 to 64 bytes, and larger, change nothing in %s bytes', (kind) => {
    const texts = textsOf(`chunks ${kind}`);
    for (let n = 0; n < 12; n++)
      expectSameInChunks(
        texts.next(kind, 2500),
        Array.from({ length: 64 }, (_, i) => i + 1),
      );
    expectSameInChunks(longText(texts, kind), [997, 4096, 65_536, 100_000, 262_144, 400_001]);
  });
});

describe('at any alignment', () => {
  // The kernel works on blocks of 64 bytes and on tiles; their borders must not matter.
  it.each(TEXT_KINDS)('the same is found in it: %s bytes behind 0 to 130 line ends', (kind) => {
    const texts = textsOf(`places ${kind}`);
    for (let n = 0; n < 20; n++) expectSameBehindLines(texts.next(kind, 400));
  });
});

function expectSameBehindLines(text: Buffer): void {
  const found = places(text, 0);
  for (let lines = 1; lines <= 130; lines++) {
    cases++;
    const moved = places(Buffer.concat([Buffer.alloc(lines, '\n'), text]), lines);
    expect({ lines, text: text.toString('latin1'), found: moved }).toEqual({
      lines,
      text: text.toString('latin1'),
      found,
    });
  }
}

function places(text: Buffer, moved: number): string[] {
  return scanText(scanner, text, { context: CONTEXTS[0]! }).map(
    ({ detector, start, end, reasons }) =>
      `${catalogue[detector]!.id} ${start - moved}–${end - moved} ${reasons}`,
  );
}

function expectSameInChunks(text: Buffer, sizes: readonly number[]): void {
  const whole = scanText(scanner, text);
  for (const size of sizes) {
    cases++;
    expect({ size, found: scanText(scanner, text, { sizes: [size] }) }).toEqual({ size, found: whole });
  }
}

/** Longer than the scanner's window. */
function longText(texts: FuzzTexts, kind: TextKind): Buffer {
  return Buffer.concat(Array.from({ length: 30 }, () => texts.next(kind, 20_000)));
}
