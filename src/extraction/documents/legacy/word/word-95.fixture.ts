import type { Tree } from '../compound-file/compound-file.fixture.ts';

export interface Word95Layout {
  readonly mark?: number;
  readonly version?: number;
  readonly flags?: number;
  readonly language?: number;
  readonly macintosh?: boolean;
  /** Saved incrementally ("fast save"): the text is split into pieces of this length, the last one first. */
  readonly pieceLength?: number | undefined;
}

const TEXT_AT = 768;

/** A document of Word 6 or 95: its parts (main text, footnotes, headers, macros, comments, …) as bytes of its code page. */
export function word95Streams(parts: readonly Buffer[], layout: Word95Layout = {}): Tree {
  const {
    mark = 0xa5dc,
    version = 104,
    flags = 0,
    language = 0x409,
    macintosh = false,
    pieceLength,
  } = layout;
  const text = Buffer.concat(parts);
  const head = Buffer.alloc(TEXT_AT);
  head.writeUInt16LE(mark, 0);
  head.writeUInt16LE(version, 2);
  head.writeUInt16LE(language, 6);
  head.writeUInt16LE(flags | (pieceLength === undefined ? 0 : 4), 10);
  head.writeUInt16LE(macintosh ? 0x100 : 0, 20);
  head.writeUInt32LE(TEXT_AT, 24);
  head.writeUInt32LE(TEXT_AT + text.length, 28);
  parts.forEach(({ length }, i) => {
    head.writeInt32LE(length, 52 + 4 * i);
  });
  if (pieceLength === undefined) return { WordDocument: Buffer.concat([head, text]) };
  const { bytes, table } = cutBackwards(text, pieceLength);
  head.writeUInt32LE(TEXT_AT + bytes.length, 352);
  head.writeUInt32LE(table.length, 356);
  return { WordDocument: Buffer.concat([head, bytes, table]) };
}

function cutBackwards(text: Buffer, pieceLength: number): { bytes: Buffer; table: Buffer } {
  const starts = Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, i) => i * pieceLength);
  const pieces = starts.map((from) => text.subarray(from, from + pieceLength));
  const table = Buffer.alloc(5 + 12 * pieces.length + 4);
  table[0] = 2;
  table.writeUInt32LE(table.length - 5, 1);
  let at = TEXT_AT + text.length;
  pieces.forEach((piece, i) => {
    at -= piece.length;
    table.writeUInt32LE(starts[i]!, 5 + 4 * i);
    table.writeUInt32LE(at, 5 + 4 * (pieces.length + 1) + 8 * i + 2);
  });
  table.writeUInt32LE(text.length, 5 + 4 * pieces.length);
  return { bytes: Buffer.concat(pieces.toReversed()), table };
}
