import type { Tree } from '../compound-file/compound-file.fixture.ts';

/** The parts of a document's text. */
export interface WordParts {
  readonly main?: string;
  readonly footnotes?: string;
  readonly headers?: string;
  readonly comments?: string;
  readonly endnotes?: string;
  readonly textBoxes?: string;
  readonly headerTextBoxes?: string;
}

export interface WordLayout {
  /** Characters of a piece; every other one has one byte for each. */
  readonly pieceLength?: number;
  /** Stores the pieces in reverse order. */
  readonly backwards?: boolean;
  readonly flags?: number;
  readonly version?: number;
  readonly mark?: number;
}

const TEXT_AT = 1024;
const WESTERN = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, i) => i));

/** The streams of a document of Word 97. */
export function wordStreams(parts: WordParts, layout: WordLayout = {}): Tree {
  const { pieceLength = 1000, backwards = false, flags = 0x0200, version = 0xc1, mark = 0xa5ec } = layout;
  const { main = '\r', footnotes = '', headers = '', comments = '', endnotes = '' } = parts;
  const { textBoxes = '', headerTextBoxes = '' } = parts;
  const others = [footnotes, headers, '', comments, endnotes, textBoxes, headerTextBoxes];
  const closing = others.some((part) => part !== '') ? '\r' : '';
  const text = [main, ...others, closing].join('');
  const cuts = Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, i) => i * pieceLength);
  const pieces = cuts.map((from, i) => {
    const piece = text.slice(from, from + pieceLength);
    const narrow = i % 2 === 1 && [...piece].every((char) => WESTERN.includes(char));
    const bytes = narrow
      ? Buffer.from([...piece].map((char) => WESTERN.indexOf(char)))
      : Buffer.from(piece, 'utf16le');
    return { from, narrow, bytes, at: 0 };
  });
  let end = TEXT_AT;
  for (const piece of backwards ? pieces.toReversed() : pieces) {
    piece.at = end;
    end += piece.bytes.length;
  }
  const stream = Buffer.alloc(end);
  for (const { at, bytes } of pieces) stream.set(bytes, at);
  const table = pieceTable(pieces, text.length);
  stream.writeUInt16LE(mark, 0);
  stream.writeUInt16LE(version, 2);
  stream.writeUInt16LE(flags, 10);
  stream.writeUInt16LE(14, 32);
  stream.writeUInt16LE(22, 62);
  [main, ...others].forEach((part, i) => {
    stream.writeInt32LE(part.length, 76 + 4 * i);
  });
  stream.writeUInt16LE(93, 152);
  stream.writeUInt32LE(40, 418);
  stream.writeUInt32LE(table.length, 422);
  const tables = Buffer.concat([Buffer.alloc(40, 0xee), table]);
  return { WordDocument: stream, [flags & 0x0200 ? '1Table' : '0Table']: tables };
}

interface PlacedPiece {
  readonly from: number;
  readonly narrow: boolean;
  readonly at: number;
}

/** With some formatting before it, as documents that were saved quickly have it. */
function pieceTable(pieces: readonly PlacedPiece[], length: number): Buffer {
  const formatting = Buffer.from([1, 3, 0, 9, 9, 9]);
  const table = Buffer.alloc(5 + 4 * (pieces.length + 1) + 8 * pieces.length);
  table[0] = 2;
  table.writeUInt32LE(table.length - 5, 1);
  pieces.forEach(({ from, narrow, at }, i) => {
    table.writeUInt32LE(from, 5 + 4 * i);
    const position = narrow ? 0x40000000 + 2 * at : at;
    table.writeUInt32LE(position, 5 + 4 * (pieces.length + 1) + 8 * i + 2);
  });
  table.writeUInt32LE(length, 5 + 4 * pieces.length);
  return Buffer.concat([formatting, table]);
}
