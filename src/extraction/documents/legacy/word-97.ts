import type { Budget } from '../../budget.ts';
import { Damage, Encrypted, Unsupported } from '../../obstacle.ts';
import type { Piece, RandomAccess } from '../../piece.ts';
import { Setbacks } from '../setbacks.ts';
import { piecesOf } from '../text-writer.ts';
import { readFully } from './chained-stream.ts';
import type { Storage } from './compound-directory.ts';
import { inStreamBlocks } from './stream-blocks.ts';
import { PieceTable } from './word-pieces.ts';
import { WordText } from './word-text.ts';

const HEADER_BYTES = 426;
const WORD_97 = 0xa5ec;
const OLDER_WORDS = [0xa5db, 0xa5dc, 0xa59b, 0xa59c];
const LAST_OLD_VERSION = 105;
const ENCRYPTED = 0x0100;
const WHICH_TABLE = 0x0200;
const PIECE_TABLE = 418;

/** The parts of the text in their order, and where in the header their lengths stand. */
const PARTS: readonly (readonly [place: string | null, length: number])[] = [
  [null, 76],
  ['footnotes', 80],
  ['headers', 84],
  ['comments', 92],
  ['endnotes', 96],
  ['text boxes', 100],
  ['text boxes', 104],
];

/**
 * Word 97 to 2003 [MS-DOC]. The text is one row of characters, cut into pieces that stand anywhere in the stream; the
 * table stream tells where. Footnotes, headers and so on follow the main text in that row.
 */
export async function* readWord97(document: Storage, budget: Budget): AsyncGenerator<Piece> {
  const stream = document.stream('WordDocument');
  if (stream === null) throw new Damage('Word document stream');
  const header = await headerOf(stream);
  const pieces = await pieceTable(document, header);
  const text = new WordText(inStreamBlocks(stream), pieces, budget);
  const setbacks = new Setbacks();
  let from = 0;
  for (const [place, at] of PARTS) {
    const length = header.readInt32LE(at);
    if (length < 0) throw new Damage('Word document header');
    yield* setbacks.attempt(piecesOf(place, text.read(from, from + length)));
    from += length;
  }
  // The end of a paragraph closes the last part. Whatever else follows is shown by nobody, but there.
  if (pieces.length > from + 1)
    yield* setbacks.attempt(piecesOf('after the text', text.read(from, pieces.length)));
  setbacks.finish();
}

async function headerOf(stream: RandomAccess): Promise<Buffer> {
  const start = await readFully(stream, 0, 32, 'Word document');
  const mark = start.readUInt16LE(0);
  const version = start.readUInt16LE(2);
  if (OLDER_WORDS.includes(mark) || (mark === WORD_97 && version <= LAST_OLD_VERSION)) {
    throw new Unsupported('Word 95 document');
  }
  if (mark !== WORD_97) throw new Damage('Word document header');
  if (start.readUInt16LE(10) & ENCRYPTED) throw new Encrypted();
  return readFully(stream, 0, HEADER_BYTES, 'Word document');
}

async function pieceTable(document: Storage, header: Buffer): Promise<PieceTable> {
  const table = document.stream(header.readUInt16LE(10) & WHICH_TABLE ? '1Table' : '0Table');
  if (table === null) throw new Damage('Word table stream');
  const from = header.readUInt32LE(PIECE_TABLE);
  const to = from + header.readUInt32LE(PIECE_TABLE + 4);
  return new PieceTable(await readFully(table, from, to, 'Word piece table'));
}
