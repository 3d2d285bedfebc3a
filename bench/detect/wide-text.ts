/** Text of two bytes a character: narrowed as the product does it, then scanned. */
import { closeSync, openSync, readSync } from 'node:fs';
import { createScanner } from '../../src/detection/scanner.ts';
import type { Scanner } from '../../src/detection/spans.ts';
import { Utf8Transcoder } from '../../src/extraction/formats/utf8-transcoder.ts';
import { encodingOf } from '../../src/extraction/sniff/encoding.ts';
import { type Bench, scaled } from '../benchmark.ts';
import { count, median, megabytes } from '../figures.ts';
import type { DataFile } from './data-files.ts';
import { USUAL } from './detectors.ts';
import { PLAIN_TEXT } from './scan-file.ts';

const SIZE = 32e6;
const PUSHED = 256 * 1024;

interface Scanned {
  readonly found: number;
  /** Of the spans' first bytes in the original, to see whether they are where they should be. */
  readonly starts: readonly number[];
  readonly seconds: number;
}

export async function measureWideText(bench: Bench, file: DataFile): Promise<void> {
  const narrow = firstBytes(file.path, scaled(bench, SIZE));
  const text = narrow.toString('utf8');
  const wide = Buffer.from(`\uFEFF${text}`, 'utf16le');
  const scanner = createScanner(USUAL);
  const rates: number[] = [];
  let scanned = scanWide(scanner, wide);
  for (let n = 0; n < bench.runs; n++) {
    scanned = scanWide(scanner, wide);
    rates.push(wide.length / 1e6 / scanned.seconds);
  }
  bench.log(
    `  UTF-16, ${megabytes(wide.length)} with many values: ${median(rates).toFixed(0)} MB/s of what is read, narrowing included`,
  );
  const expected = scanNarrow(scanner, Buffer.from(text));
  const asWide = expected.map((start) => 2 + 2 * unitsBefore(text, start));
  const same = scanned.found === expected.length && scanned.starts.every((start, n) => start === asWide[n]);
  bench.check(
    same,
    `in UTF-16 the same is found as in UTF-8, at its own offsets (${count(scanned.found)}, ${count(expected.length)})`,
  );
}

function scanWide(scanner: Scanner, wide: Buffer): Scanned {
  const starts: number[] = [];
  const began = performance.now();
  const transcoder = new Utf8Transcoder(encodingOf(wide.subarray(0, 8192), false)!, (block) =>
    scanner.push(block),
  );
  scanner.begin(PLAIN_TEXT, (spans) => {
    for (let n = 0; n < spans.count; n++) starts.push(transcoder.offsets.at(spans.start[n]!));
  });
  for (let at = 0; at < wide.length; at += PUSHED) transcoder.push(wide.subarray(at, at + PUSHED));
  transcoder.end();
  scanner.end();
  return { found: starts.length, starts, seconds: (performance.now() - began) / 1000 };
}

function scanNarrow(scanner: Scanner, bytes: Buffer): number[] {
  const starts: number[] = [];
  scanner.begin(PLAIN_TEXT, ({ count, start }) => {
    for (let n = 0; n < count; n++) starts.push(start[n]!);
  });
  scanner.push(bytes);
  scanner.end();
  return starts;
}

/** Must be called in order of the offsets: continues where it stopped. */
let [walkedBytes, walkedUnits] = [0, 0];
function unitsBefore(text: string, offset: number): number {
  if (offset < walkedBytes) [walkedBytes, walkedUnits] = [0, 0];
  while (walkedBytes < offset) {
    const code = text.codePointAt(walkedUnits)!;
    walkedBytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    walkedUnits += code < 0x10000 ? 1 : 2;
  }
  return walkedUnits;
}

function firstBytes(path: string, max: number): Buffer {
  const bytes = Buffer.alloc(max);
  const file = openSync(path, 'r');
  const read = readSync(file, bytes, 0, max, 0);
  closeSync(file);
  return bytes.subarray(0, read);
}
