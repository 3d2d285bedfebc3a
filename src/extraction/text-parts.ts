import type { TextChunk } from './document-item.ts';
import { type EmbeddedPath, locationName } from './embedded-path.ts';
import type { PrecedingText, TextPart, TextSink } from './extraction.ts';
import { fieldLocatorOf } from './structure/field-locator.ts';
import { gridFieldLocator } from './structure/grid-fields.ts';

const LF = 0x0a;
const NOTHING: PrecedingText = { lines: 0, bytes: 0 };

/** Joins the chunks of a document to parts: consecutive ones with the same location form one. */
export class TextParts {
  readonly #sink: TextSink;
  readonly #path: EmbeddedPath;
  #open: TextChunk | null = null;
  /** The text that surrounds the current tables, and its length so far. */
  #textLocation: string | null | undefined;
  #before = NOTHING;

  constructor(sink: TextSink, path: EmbeddedPath) {
    this.#sink = sink;
    this.#path = path;
  }

  take(chunk: TextChunk): void {
    if (this.#open === null || this.#open.location !== chunk.location || this.#open.grid !== chunk.grid) {
      this.end();
      this.#sink.begin(this.#part(chunk, this.#goesOn(chunk)));
    }
    this.#open = chunk;
    if (chunk.text.length === 0) return;
    if (!chunk.grid) this.#before = behind(this.#before, chunk.text);
    this.#sink.text(chunk.text);
  }

  end(): void {
    if (this.#open !== null) this.#sink.end();
    this.#open = null;
  }

  /** Lines and bytes of the same text that precede a table. */
  #goesOn({ location, grid }: TextChunk): PrecedingText {
    if (grid) return NOTHING;
    if (this.#textLocation !== location) this.#before = NOTHING;
    this.#textLocation = location;
    return this.#before;
  }

  #part({ location, text, grid, format = 'text' }: TextChunk, before: PrecedingText): TextPart {
    return {
      name: location === null ? this.#path.part : locationName(this.#path.part, location),
      format: grid ? 'tsv' : format,
      charset: 'utf-8',
      sourceOffset: (offset) => before.bytes + offset,
      ...(grid ? gridFieldLocator(grid, text) : fieldLocatorOf(format, text)),
      ...(grid && { grid }),
      ...(before.bytes > 0 && { before }),
    };
  }
}

function behind({ lines, bytes }: PrecedingText, text: Uint8Array): PrecedingText {
  let more = 0;
  for (let at = text.indexOf(LF); at !== -1; at = text.indexOf(LF, at + 1)) more++;
  return { lines: lines + more, bytes: bytes + text.length };
}
