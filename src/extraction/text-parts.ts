import type { Part, TextSink } from './extraction.ts';
import { type Inside, placeName } from './inside.ts';
import type { TextPiece } from './piece.ts';
import { fieldsOf } from './structure/fields.ts';
import { gridFields } from './structure/grid-fields.ts';

/** Pieces of a document as parts: those with the same place that follow each other are one. */
export class TextParts {
  readonly #sink: TextSink;
  readonly #inside: Inside;
  #open: TextPiece | null = null;

  constructor(sink: TextSink, inside: Inside) {
    this.#sink = sink;
    this.#inside = inside;
  }

  take(piece: TextPiece): void {
    if (this.#open === null || this.#open.place !== piece.place || this.#open.grid !== piece.grid) {
      this.end();
      this.#sink.begin(this.#part(piece));
    }
    this.#open = piece;
    if (piece.text.length > 0) this.#sink.text(piece.text);
  }

  end(): void {
    if (this.#open !== null) this.#sink.end();
    this.#open = null;
  }

  #part({ place, text, grid, format = 'text' }: TextPiece): Part {
    return {
      name: place === null ? this.#inside.part : placeName(this.#inside.part, place),
      format: grid ? 'tsv' : format,
      charset: 'utf-8',
      origin: (offset) => offset,
      ...(grid ? gridFields(grid) : fieldsOf(format, text)),
      ...(grid && { grid }),
    };
  }
}
