/**
 * Format: "Microsoft Word 6.0 Binary File Format"; the FIB is a shorter one of [MS-DOC] 2.5. For the reason why no library is used see
 * word-97.ts.
 */
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess } from '../../../document-item.ts';
import { CorruptInput, Encrypted, Unsupported } from '../../../extraction-error.ts';
import { readFully } from '../compound-file/chained-stream.ts';
import { inStreamBlocks } from '../compound-file/stream-blocks.ts';
import { readParts } from './word-parts.ts';
import { OnePiece, type Pieces, PieceTable } from './word-pieces.ts';
import { WordText } from './word-text.ts';

const MARKS = [0xa5dc, 0xa5ec];
/** Of Japan, Korea and China: their characters are neither Unicode nor of a code page. */
const EAST_ASIAN_MARKS = [0xa697, 0xa698, 0xa699];
const FIRST_VERSION = 101;
const LAST_VERSION = 105;
const QUICKLY_SAVED = 0x0004;
const ENCRYPTED = 0x0100;
const EXTENDED = 0x1000;

const MACINTOSH = 0x0100;
const MAC_ROMAN = 10000;

const HEADER_BYTES = 360;
const TEXT = 24;
const LENGTHS = 52;
const PIECE_TABLE = 352;

/** Whether a document stream that begins so is of Word 6 or 95. */
export function isWord95(start: Buffer): boolean {
  const mark = start.readUInt16LE(0);
  const version = start.readUInt16LE(2);
  if (version < FIRST_VERSION || version > LAST_VERSION) return false;
  return MARKS.includes(mark) || EAST_ASIAN_MARKS.includes(mark);
}

/** As in Word 97, but all in one stream, in the code page of a language, and in one piece unless it was saved incrementally ("fast save"). */
export async function* readWord95(
  stream: RandomAccess,
  budget: ExtractionBudget,
): AsyncGenerator<DocumentItem> {
  const header = await readFully(stream, 0, HEADER_BYTES, 'Word document');
  const flags = header.readUInt16LE(10);
  if (flags & ENCRYPTED) throw new Encrypted();
  if (flags & EXTENDED) throw new Unsupported('East Asian Word 95 document');
  const pieces = flags & QUICKLY_SAVED ? await pieceTable(stream, header) : wholeText(header);
  const text = new WordText(inStreamBlocks(stream), pieces, budget, codePageOf(header));
  yield* readParts(text, pieces.length, header, LENGTHS);
}

function codePageOf(header: Buffer): number {
  return header.readUInt16LE(20) === MACINTOSH ? MAC_ROMAN : pageOfLanguage(header.readUInt16LE(6));
}

async function pieceTable(stream: RandomAccess, header: Buffer): Promise<Pieces> {
  const from = header.readUInt32LE(PIECE_TABLE);
  const to = from + header.readUInt32LE(PIECE_TABLE + 4);
  return new PieceTable(await readFully(stream, from, to, 'Word piece table'), true);
}

function wholeText(header: Buffer): Pieces {
  const from = header.readUInt32LE(TEXT);
  const to = header.readUInt32LE(TEXT + 4);
  if (to < from) throw new CorruptInput('Word document header');
  return new OnePiece(from, to - from);
}

const WESTERN = 1252;
const CHINESE = 0x04;
const SERBIAN = 0x1a;

/** The code pages that Windows has for languages, by the lower ten bits of the language's number. */
const PAGES: Readonly<Record<number, number>> = {
  1: 1256, // Arabic
  2: 1251, // Bulgarian
  5: 1250, // Czech
  8: 1253, // Greek
  13: 1255, // Hebrew
  14: 1250, // Hungarian
  17: 932, // Japanese
  18: 949, // Korean
  21: 1250, // Polish
  24: 1250, // Romanian
  25: 1251, // Russian
  26: 1250, // Croatian
  27: 1250, // Slovak
  28: 1250, // Albanian
  30: 874, // Thai
  31: 1254, // Turkish
  32: 1256, // Urdu
  34: 1251, // Ukrainian
  35: 1251, // Belarusian
  36: 1250, // Slovenian
  37: 1257, // Estonian
  38: 1257, // Latvian
  39: 1257, // Lithuanian
  41: 1256, // Persian
  42: 1258, // Vietnamese
  47: 1251, // Macedonian
};

/** Written in two scripts; the country code distinguishes them. */
const CYRILLIC_SERBIAN = 0x0c1a;
const SIMPLIFIED_CHINESE = [0x0804, 0x1004];

function pageOfLanguage(language: number): number {
  const main = language & 0x3ff;
  if (main === CHINESE) return SIMPLIFIED_CHINESE.includes(language) ? 936 : 950;
  if (main === SERBIAN && language === CYRILLIC_SERBIAN) return 1251;
  return PAGES[main] ?? WESTERN;
}
