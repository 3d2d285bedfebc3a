/**
 * Some of the files of `npm run bench -- hostile-files`, with low limits: each ends with a result, and its output is limited relative to
 * its size.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from './budget/limits.ts';
import { extractBytesAsync } from './extract.ts';
import type { TextSink } from './extraction.ts';
import { IsolatedReaders } from './isolation/isolated-readers.ts';
import { isReaderFault, outcomeOf } from './samples/attempt.fixture.ts';
import { HOSTILE_FILES } from './samples/hostile/hostile-files.fixture.ts';

const MEGABYTE = 1_000_000;
const MAX_SIZE = 5 * MEGABYTE;
/** Text that may exceed the limit by one chunk. */
const CHUNK_BYTES = 8 * MEGABYTE;
const EVERY = 6;
const TEST_TIMEOUT_MS = 120_000;

const limits = {
  ...DEFAULT_LIMITS,
  decompressedBytes: 40 * MEGABYTE,
  ratio: 200,
  textFloor: 10 * MEGABYTE,
  textRatio: 2,
  entries: 2000,
  pages: 100,
  cells: MEGABYTE,
  seconds: 1,
  secondsPerMegabyte: 0,
  documentMegabytes: 400,
};

const documents = new IsolatedReaders();
afterAll(() => documents.close());

/** Counts the text, and that parts follow each other. */
class Tally implements TextSink {
  length = 0;
  open = false;

  begin(): void {
    if (this.open) throw new Error('begin before end');
    this.open = true;
  }

  text(bytes: Uint8Array): void {
    this.length += bytes.length;
  }

  end(): void {
    if (!this.open) throw new Error('end before begin');
    this.open = false;
  }
}

describe('a small file that costs much', () => {
  it('is one of many, in every family of formats', () => {
    expect(HOSTILE_FILES.length).toBeGreaterThanOrEqual(100);
    expect(new Set(HOSTILE_FILES.map(({ what }) => what)).size).toBe(HOSTILE_FILES.length);
  });

  it.each(HOSTILE_FILES.filter((_, i) => i % EVERY === 0))(
    'ends with an outcome: $what',
    async ({ name, make }) => {
      const bytes = make();
      expect(bytes.length).toBeLessThanOrEqual(MAX_SIZE);
      const sink = new Tally();
      const options = { documents, limits, options: { ocr: false } };
      const ended = await outcomeOf(() => extractBytesAsync(name, bytes, sink, options));
      expect(isReaderFault(ended) ? ended : null).toBeNull();
      expect(sink.open).toBe(false);
      expect(sink.length).toBeLessThan(
        Math.max(limits.textFloor, limits.textRatio * bytes.length) + CHUNK_BYTES,
      );
      if (ended.outcome !== 'read')
        expect(ended.reason).toMatch(/^(limit|corrupt|unsupported|encrypted|picture)/);
    },
    TEST_TIMEOUT_MS,
  );
});
