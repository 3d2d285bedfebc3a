import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { catalogue } from './catalogue.ts';
import { acceptMatch, type Detector } from './detector.ts';
import { REASON } from './reasons.ts';
import { type Found, scanText } from './scan.fixture.ts';
import { createScanner, LEAD_IN, LEAD_OUT } from './scanner.ts';
import type { Scanner, TextContext } from './spans.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Without lines: they are counted from where a scan begins. */
type Place = Omit<Found, 'line' | 'column'>;

/** A field reader whose result depends on all the bytes it sees. */
const looking: TextContext = { fieldAt: (window, at) => `${at}/${window.length}/${window[0]}` };

function scan(scanner: Scanner, text: Buffer, offset = 0, end = text.length): Place[] {
  const all = scanText(scanner, text.subarray(offset, end), { context: looking, offset, sizes: [30_000] });
  return all.map(({ line: _, column: __, ...place }) => place);
}

/** Reads as little as possible around `[from, to)`. */
function scanPiece(scanner: Scanner, text: Buffer, from: number, to: number): Place[] {
  const [offset, end] = [Math.max(0, from - LEAD_IN), Math.min(text.length, to + LEAD_OUT)];
  return within(scan(scanner, text, offset, end), from, to);
}

function within(all: readonly Place[], from: number, to: number): Place[] {
  return all.filter(({ start }) => start >= from && start < to);
}

const examples = catalogue
  .flatMap(({ examples }) => [...examples.match, ...examples.not])
  .map((example) => (typeof example === 'string' ? example : example.text));

function longText(pieces: readonly string[], length: number): Buffer {
  let text = '';
  for (let n = 0; text.length < length; n++)
    text += pieces[(n * 7919) % pieces.length]! + ['\n', ' ; ', ' and then some words\r\n'][n % 3]!;
  return Buffer.from(text);
}

function expectSamePieces(scanner: Scanner, text: Buffer, pieces: number): void {
  const whole = scan(scanner, text);
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.integer({ min: 1, max: 20_000 }), (from, length) => {
      expect(scanPiece(scanner, text, from, from + length)).toEqual(within(whole, from, from + length));
    }),
    { numRuns: pieces },
  );
}

describe('a scan of part of a text', () => {
  it('finds what a scan of the whole text finds there', () => {
    const text = longText(examples, 400_000);
    const scanner = createScanner(catalogue);
    expect(scan(scanner, text).length).toBeGreaterThan(2000);
    expectSamePieces(scanner, text, 60);
  });

  it('does so with a token longer than everything it reads', () => {
    const text = longText(['SSN: 536-22-8741', 'x1'.repeat(50_000), 'jane@acme.example'], 700_000);
    const scanner = createScanner(catalogue);
    expect(scan(scanner, text).length).toBeGreaterThan(10);
    expectSamePieces(scanner, text, 40);
  });

  it('does so with an endless chain of overlapping values', () => {
    const scanner = createScanner(overlapping);
    const text = Buffer.from('ab cd ef '.repeat(20_000));
    expect(scan(scanner, text).length).toBeGreaterThan(100);
    expectSamePieces(scanner, text, 60);
  });

  it('counts the line ends of its own input', () => {
    const scanner = createScanner(catalogue);
    const text = longText(examples, 200_000);
    for (const [from, to] of [
      [0, 200_000],
      [70_001, 170_003],
      [1000, 1000],
    ] as const) {
      scan(scanner, text, from, to);
      expect(scanner.newlines).toBe(text.subarray(from, to).filter((byte) => byte === 0x0a).length);
    }
  });
});

/** Every word begins a value that overlaps the next ones, with varying priority. */
const overlapping: Detector[] = ['ab', 'cd', 'ef'].map((word, n) => ({
  id: word,
  title: word,
  category: 'contact',
  strength: 'format',
  regulations: [],
  risk: 1,
  prefilters: [{ pattern: word }],
  confidence: 0.8,
  verify: (bytes, at, match) =>
    acceptMatch(match, at, at + 40 + n * 50 + (bytes[at]! % 7), n === 1 ? REASON.checksum : REASON.pattern),
  mask: () => '',
  examples: { match: [], not: [] },
}));
