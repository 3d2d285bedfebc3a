import type { Part, TextBefore, TextSink } from './extraction.ts';
import { type Inside, placeName } from './inside.ts';
import type { TextPiece } from './piece.ts';
import { fieldsOf } from './structure/fields.ts';
import { gridFields } from './structure/grid-fields.ts';

const LF = 0x0a;
const NOTHING: TextBefore = { lines: 0, bytes: 0 };

/** Pieces of a document as parts: those with the same place that follow each other are one. */
export class TextParts {
  readonly #sink: TextSink;
  readonly #inside: Inside;
  #open: TextPiece | null = null;
  /** The text that tables may stand in, and how much of it there was. */
  #textPlace: string | null | undefined;
  #before = NOTHING;

  constructor(sink: TextSink, inside: Inside) {
    this.#sink = sink;
    this.#inside = inside;
  }

  take(piece: TextPiece): void {
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
  #goesOn({ place, grid }: TextPiece): TextBefore {
    if (grid) return NOTHING;
    if (this.#textPlace !== place) this.#before = NOTHING;
    this.#textPlace = place;
    return this.#before;
  }

  #part({ place, text, grid, format = 'text' }: TextPiece, before: TextBefore): Part {
    return {
      name: place === null ? this.#inside.part : placeName(this.#inside.part, place),
      format: grid ? 'tsv' : format,
      charset: 'utf-8',
      origin: (offset) => before.bytes + offset,
      ...(grid ? gridFields(grid) : fieldsOf(format, text)),
      ...(grid && { grid }),
      ...(before.bytes > 0 && { before }),
    };
  }
}

function behind({ lines, bytes }: TextBefore, text: Uint8Array): TextBefore {
  let more = 0;
  for (let at = text.indexOf(LF); at !== -1; at = text.indexOf(LF, at + 1)) more++;
  return { lines: lines + more, bytes: bytes + text.length };
}
