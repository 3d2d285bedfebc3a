/** The fast pass against the plain one, and the same text in pieces of any size: how many cases, how many different. */
import { Random } from '../../examples/generator/random.ts';
import { FuzzTexts, TEXT_KINDS, type TextKind } from '../../src/detection/fuzz-texts.fixture.ts';
import { scalarPrefilter } from '../../src/detection/kernel/scalar-prefilter.ts';
import { createScanner, LEAD_IN, LEAD_OUT } from '../../src/detection/scanner.ts';
import type { Scanner, TextContext } from '../../src/detection/spans.ts';
import { type Bench, scaled } from '../benchmark.ts';
import { count, seconds } from '../figures.ts';
import { EVERY } from './detectors.ts';
import { NAMED_FROM_AFAR, PLAIN_TEXT } from './scan-file.ts';

/** The plain pass asks every filter at every place: a few kilobytes a second. */
const CASES = 3000;
const SIZED = 200;
const LONG_TEXTS = 24;
const LENGTHS = [40, 100, 300];
const CHUNKS = 64;
/** Longer than two windows of the scanner. */
const LONG = 1_000_000;
const STARTS = 6;
const NAMINGS: readonly TextContext[] = [
  PLAIN_TEXT,
  { fieldAt: () => null, fieldScope: 'lists' },
  NAMED_FROM_AFAR,
];

interface Tally {
  cases: number;
  different: number;
  /** Where the first difference was. */
  first?: string;
}

export async function countDifferences(bench: Bench): Promise<void> {
  const fast = createScanner(EVERY);
  const plain = createScanner(EVERY, { createPrefilter: scalarPrefilter });
  const texts = new FuzzTexts(new Random(bench.seed, 'fuzz texts'));
  const random = new Random(bench.seed, 'differences');
  for (const kind of TEXT_KINDS) {
    report(bench, `the kernel against the plain pass, ${kind} bytes`, () =>
      passes(bench, texts, random, kind, fast, plain),
    );
  }
  for (const kind of TEXT_KINDS) {
    report(bench, `chunks of every size from 1 to ${CHUNKS} bytes and larger, ${kind} bytes`, () =>
      chunkSizes(bench, texts, random, kind, fast),
    );
    report(bench, `begun anywhere, so that windows end elsewhere, ${kind} bytes`, () =>
      startingPlaces(bench, texts, random, kind, fast),
    );
  }
}

function report(bench: Bench, what: string, run: () => Tally): void {
  const began = performance.now();
  const { cases, different, first } = run();
  const took = seconds((performance.now() - began) / 1000);
  bench.check(
    different === 0 && cases > 0,
    `${what}: ${count(cases)} cases, ${count(different)} different (${took})`,
  );
  if (first !== undefined) bench.log(`    the first of them: ${first}`);
}

function passes(
  bench: Bench,
  texts: FuzzTexts,
  random: Random,
  kind: TextKind,
  fast: Scanner,
  plain: Scanner,
): Tally {
  const cases = scaled(bench, CASES);
  const tally: Tally = { cases: 0, different: 0 };
  for (let n = 0; n < cases; n++) {
    const text = texts.next(kind, random.pick(LENGTHS));
    const context = NAMINGS[n % NAMINGS.length]!;
    const [quick, slow] = [spanList(fast, text, context), spanList(plain, text, context)];
    compare(tally, quick, slow, () => `in ${JSON.stringify(text.toString('latin1'))}`);
  }
  return tally;
}

function chunkSizes(bench: Bench, texts: FuzzTexts, random: Random, kind: TextKind, fast: Scanner): Tally {
  const tally: Tally = { cases: 0, different: 0 };
  for (let n = 0; n < scaled(bench, SIZED, 2); n++) {
    const text = texts.next(kind, 3000);
    const whole = spanList(fast, text, PLAIN_TEXT);
    for (let size = 1; size <= CHUNKS + 1; size++) {
      const chunk = size <= CHUNKS ? size : random.int(CHUNKS + 1, 4000);
      compare(tally, spanList(fast, text, PLAIN_TEXT, chunk), whole, () => `chunks of ${chunk}`);
    }
  }
  return tally;
}

/** Texts of several windows: what a scan from the middle finds must be what the whole has there. */
function startingPlaces(
  bench: Bench,
  texts: FuzzTexts,
  random: Random,
  kind: TextKind,
  fast: Scanner,
): Tally {
  const tally: Tally = { cases: 0, different: 0 };
  for (let n = 0; n < scaled(bench, LONG_TEXTS); n++) {
    const text = longText(texts, kind);
    const [whole, size] = [spanList(fast, text, PLAIN_TEXT), random.int(1, 500_000)];
    for (let m = 0; m < STARTS; m++) {
      const from = random.int(0, text.length >> 1);
      const part = spanList(fast, text.subarray(from), PLAIN_TEXT, size, from);
      const sure = (span: Place) => span.start >= from + LEAD_IN && span.start < text.length - LEAD_OUT;
      compare(tally, part.filter(sure), whole.filter(sure), () => `begun at ${from}`);
    }
  }
  return tally;
}

function longText(texts: FuzzTexts, kind: TextKind): Buffer {
  const pieces: Buffer[] = [];
  for (let length = 0; length < LONG; length += pieces.at(-1)!.length) pieces.push(texts.next(kind, 20_000));
  return Buffer.concat(pieces);
}

interface Place {
  readonly detector: number;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  readonly reasons: number;
}

function compare(tally: Tally, one: readonly Place[], other: readonly Place[], where: () => string): void {
  const known = new Set(other.map(shown));
  const seen = new Set(one.map(shown));
  const extra = [...seen].filter((place) => !known.has(place));
  const missing = [...known].filter((place) => !seen.has(place));
  tally.cases++;
  if (extra.length + missing.length === 0 && one.length === other.length) return;
  tally.different++;
  tally.first ??= `more: ${extra.slice(0, 3).join('; ')}; less: ${missing.slice(0, 3).join('; ')}; ${where()}`;
}

function shown({ detector, start, end, confidence, reasons }: Place): string {
  return `${EVERY[detector]!.id} ${start}–${end} ${confidence.toFixed(2)} ${reasons}`;
}

function spanList(
  scanner: Scanner,
  text: Buffer,
  context: TextContext,
  size = text.length,
  offset = 0,
): Place[] {
  const places: Place[] = [];
  scanner.begin(
    context,
    ({ count, detector, start, end, confidence, reasons }) => {
      for (let n = 0; n < count; n++)
        places.push({
          detector: detector[n]!,
          start: start[n]!,
          end: end[n]!,
          confidence: confidence[n]!,
          reasons: reasons[n]!,
        });
    },
    offset,
  );
  for (let at = 0; at < text.length; at += size) scanner.push(text.subarray(at, at + size));
  scanner.end();
  return places;
}
