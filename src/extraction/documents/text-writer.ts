import type { TextChunk } from '../document-item.ts';
import type { Format } from '../extraction.ts';

const BLOCK = 48 * 1024;

/** The text of a location in chunks of a useful size. What precedes an error is not lost. */
export async function* textChunksOf(
  location: string | null,
  texts: AsyncIterable<string>,
  format: Format = 'text',
): AsyncGenerator<TextChunk> {
  const writer = new TextWriter(location, format);
  try {
    for await (const text of texts) {
      writer.add(text);
      if (writer.full) yield writer.take();
    }
  } catch (error) {
    yield* writer.end();
    throw error;
  }
  yield* writer.end();
}

/** Buffers the text of one location at a time. */
export class TextWriter {
  #location: string | null;
  readonly #format: Format;
  #text = '';

  constructor(location: string | null, format: Format = 'text') {
    this.#location = location;
    this.#format = format;
  }

  add(text: string): void {
    this.#text += text;
  }

  /** Changes the location; yields the rest of the previous text. */
  *moveTo(location: string | null): Generator<TextChunk> {
    if (location === this.#location) return;
    yield* this.end();
    this.#location = location;
  }

  get full(): boolean {
    return this.#text.length >= BLOCK;
  }

  /** A character may be cut in half by the end of what was added: its first half waits for the second. */
  take(): TextChunk {
    const last = this.#text.charCodeAt(this.#text.length - 1);
    const end = this.#text.length - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
    const text = Buffer.from(this.#text.slice(0, end));
    this.#text = this.#text.slice(end);
    return { is: 'text', location: this.#location, text, format: this.#format };
  }

  /** What is left, if anything. */
  *end(): Generator<TextChunk> {
    const text = this.#text;
    this.#text = '';
    if (text === '') return;
    yield { is: 'text', location: this.#location, text: Buffer.from(text), format: this.#format };
  }
}
