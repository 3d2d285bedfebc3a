import { afterAll, describe, expect, it } from 'vitest';
import { extractStream } from './extract.ts';
import type { TextSink } from './extraction.ts';
import { IsolatedReaders } from './isolation/isolated-readers.ts';
import { archiveBombs } from './samples/archive-bombs.fixture.ts';
import { LIMITS, outcomeOf } from './samples/attempt.fixture.ts';
import type { Bomb } from './samples/bomb.fixture.ts';
import { documentBombs } from './samples/document-bombs.fixture.ts';
import { textBombs } from './samples/text-bombs.fixture.ts';

const documents = new IsolatedReaders();
const before = process.memoryUsage.rss();
afterAll(() => documents.close());

/** Counts the text it receives. */
class Tally implements TextSink {
  #open = false;
  length = 0;

  begin(): void {
    if (this.#open) throw new Error('begin before end');
    this.#open = true;
  }

  text(bytes: Uint8Array): void {
    if (!this.#open) throw new Error('text before begin');
    this.length += bytes.length;
  }

  end(): void {
    if (!this.#open) throw new Error('end before begin');
    this.#open = false;
  }
}

async function blow({ name, chunks, ocr = false }: Bomb) {
  const sink = new Tally();
  const options = { documents, limits: LIMITS, options: { ocr } };
  let size = 0;
  const pulled = async function* () {
    for (const chunk of chunks()) {
      size += chunk.length;
      yield chunk;
    }
  };
  const ended = await outcomeOf(() => extractStream(name, pulled(), sink, options));
  return { ...ended, length: sink.length, most: Math.max(LIMITS.decompressedBytes, LIMITS.ratio * size) };
}

describe('a bomb', () => {
  it.each([...textBombs, ...archiveBombs, ...documentBombs])(
    'costs what it may: $what',
    async (one) => {
      const { outcome, reason = null } = one;
      const ended = await blow(one);
      expect(ended).toMatchObject({ outcome, reason });
      expect(ended.length).toBeLessThan(1.1 * ended.most);
    },
    60_000,
  );

  it('does not stay in memory', () => {
    expect(process.memoryUsage.rss() - before).toBeLessThan(600_000_000);
  });
});
