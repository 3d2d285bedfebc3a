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
  readonly #inside: EmbeddedPath;
  #open: TextChunk | null = null;
  /** The text that surrounds the current tables, and its length so far. */
  #textPlace: string | null | undefined;
  #before = NOTHING;

  constructor(sink: TextSink, path: EmbeddedPath) {
    this.#sink = sink;
    this.#inside = path;
  }

  take(piece: TextChunk): void {
    if (this.#open === null || this.#open.place !== piece.place || this.#open.grid !== piece.grid) {
      this.end();
      this.#sink.begin(this.#part(piece, this.#goesOn(piece)));
    }
    this.#open = piece;
    if (piece.text.length === 0) return;
    if (!piece.grid) this.#before = behind(this.#before, piece.text);
    this.#sink.text(piece.text);
  }

  end(): void {
    if (this.#open !== null) this.#sink.end();
    this.#open = null;
  }

  /** What there was of its text before. */
  #goesOn({ place, grid }: TextChunk): PrecedingText {
    if (grid) return NOTHING;
    if (this.#textPlace !== place) this.#before = NOTHING;
    this.#textPlace = place;
    return this.#before;
  }

  #part({ place, text, grid, format = 'text' }: TextChunk, before: PrecedingText): TextPart {
    return {
      name: place === null ? this.#inside.part : locationName(this.#inside.part, place),
      format: grid ? 'tsv' : format,
      charset: 'utf-8',
      sourceOffset: (offset) => before.bytes + offset,
      ...(grid ? gridFieldLocator(grid) : fieldLocatorOf(format, text)),
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
