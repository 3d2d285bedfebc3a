/**
 * Format: [MS-DOC] section 2.4.1, "Retrieving Text", with the FIB (2.5) and the piece table (2.8.35).
 *
 * No library: text must be read by range, in bounded memory, and what precedes damage must be kept; we know no package that does so.
 */
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess } from '../../../document-item.ts';
import { CorruptInput, Encrypted, Unsupported } from '../../../extraction-error.ts';
import { readFully } from '../compound-file/chained-stream.ts';
import type { Storage } from '../compound-file/compound-directory.ts';
import { inStreamBlocks } from '../compound-file/stream-blocks.ts';
import { drawnPictures } from '../office-art-pictures.ts';
import { isWord95, readWord95 } from './word-95.ts';
import { readParts } from './word-parts.ts';
import { PieceTable } from './word-pieces.ts';
import { WordText } from './word-text.ts';

const HEADER_BYTES = 426;
const WORD_97 = 0xa5ec;
const OLDER_WORDS = [0xa5db, 0xa5dc, 0xa59b, 0xa59c];
const LAST_OLD_VERSION = 105;
const ENCRYPTED = 0x0100;
const WHICH_TABLE = 0x0200;
const LENGTHS = 76;
const PIECE_TABLE = 418;

/**
 * Word 97 to 2003 [MS-DOC], and Word 6 and 95. The text is a sequence of characters, divided into pieces anywhere in the stream; the
 * piece table is in the table stream.
 */
export async function* readWord97(document: Storage, budget: ExtractionBudget): AsyncGenerator<DocumentItem> {
  const stream = document.stream('WordDocument');
  if (stream === null) throw new CorruptInput('Word document stream');
  const start = await readFully(stream, 0, 32, 'Word document');
  if (isWord95(start)) return yield* readWord95(stream, budget);
  const header = await headerOf(stream, start);
  const pieces = await pieceTable(document, header);
  const text = new WordText(inStreamBlocks(stream), pieces, budget);
  yield* readParts(text, pieces.length, header, LENGTHS);
  // Pictures in the text stream and in the data stream.
  yield* drawnPictures([document.stream('Data'), stream], budget);
}

async function headerOf(stream: RandomAccess, start: Buffer): Promise<Buffer> {
  const mark = start.readUInt16LE(0);
  const version = start.readUInt16LE(2);
  if (OLDER_WORDS.includes(mark) || (mark === WORD_97 && version <= LAST_OLD_VERSION)) {
    throw new Unsupported('document older than Word 6');
  }
  if (mark !== WORD_97) throw new CorruptInput('Word document header');
  if (start.readUInt16LE(10) & ENCRYPTED) throw new Encrypted();
  return readFully(stream, 0, HEADER_BYTES, 'Word document');
}

async function pieceTable(document: Storage, header: Buffer): Promise<PieceTable> {
  const table = document.stream(header.readUInt16LE(10) & WHICH_TABLE ? '1Table' : '0Table');
  if (table === null) throw new CorruptInput('Word table stream');
  const from = header.readUInt32LE(PIECE_TABLE);
  const to = from + header.readUInt32LE(PIECE_TABLE + 4);
  return new PieceTable(await readFully(table, from, to, 'Word piece table'));
}
