/**
 * Format: [MS-PPT] sections 2.1 and 2.3; text is in TextCharsAtom and TextBytesAtom (2.9).
 *
 * No library: the packages for Office documents that we know read .pptx only. A tree of records would also hold what an incremental
 * save replaced, which is read here in passing.
 */
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { DocumentItem, EmbeddedEntry, RandomAccess } from '../../../document-item.ts';
import { CorruptInput, Encrypted } from '../../../extraction-error.ts';
import { chunksOf } from '../../stream-chunks.ts';
import { TextWriter } from '../../text-writer.ts';
import { readFully } from '../compound-file/chained-stream.ts';
import type { Storage } from '../compound-file/compound-directory.ts';
import { inStreamBlocks } from '../compound-file/stream-blocks.ts';
import { deflatedData } from '../deflated-data.ts';
import { uint32 } from '../excel/biff-records.ts';
import { drawnPictures } from '../office-art-pictures.ts';
import { NOTES_OF, PowerPointLocations } from './powerpoint-locations.ts';
import { type PowerPointRecord, powerPointRecords } from './powerpoint-records.ts';
import { SLIDE_LIST, SLIDE_REFERENCE, slideNumbers } from './powerpoint-slides.ts';

const WIDE_TEXT = 0xfa0;
const NARROW_TEXT = 0xfa8;
const STRING = 0xfba;
const OBJECT = 0x1011;
const ENCRYPTION = 0x2f14;
const TEXTS = new Set([WIDE_TEXT, NARROW_TEXT, STRING]);
const WANTED = new Set([...TEXTS, NOTES_OF, SLIDE_LIST, SLIDE_REFERENCE, OBJECT, ENCRYPTION]);

const ENCRYPTED_USER = 0xf3d1c4df;
/** A presentation saved for PowerPoint 95 and 97 is in the file twice; the older version is at the top level. */
const FOR_97 = 'PP97_DUALSTORAGE';

/**
 * PowerPoint 97 to 2003 [MS-PPT]: a stream of records within records. It is read from its beginning to its end, so
 * that texts which were deleted before a quick save are found too.
 */
export async function* readPowerPoint97(
  file: Storage,
  budget: ExtractionBudget,
): AsyncGenerator<DocumentItem> {
  const document = file.storage(FOR_97) ?? file;
  const base = document.stream('PowerPoint Document');
  if (base === null) throw new CorruptInput('PowerPoint document stream');
  const stream = inStreamBlocks(base);
  const numbers = await slideNumbers(stream, await newestEdit(document));
  const locations = new PowerPointLocations(stream, numbers, budget);
  const writer = new TextWriter(null);
  let objects = 0;
  try {
    for await (const record of powerPointRecords(base, { from: 0, to: base.size }, WANTED)) {
      if (record.type === ENCRYPTION) throw new Encrypted();
      await locations.pass(record);
      yield* writer.moveTo(locations.location);
      if (record.type === OBJECT) {
        yield* writer.end();
        yield embeddedObject(base, record, `object ${++objects}`, budget);
      }
      if (!TEXTS.has(record.type)) continue;
      for await (const text of textOf(stream, record)) {
        writer.add(text);
        if (writer.full) yield writer.take();
      }
    }
  } catch (error) {
    yield* writer.end();
    throw error;
  }
  yield* writer.end();
  yield* drawnPictures([document.stream('Pictures')], budget);
}

/** The offset of the last edit record. Without it slides have no numbers. */
async function newestEdit(document: Storage): Promise<number> {
  const user = document.stream('Current User');
  if (user === null || user.size < 20) return 0;
  const head = await readFully(user, 0, 20, 'PowerPoint user');
  if (head.readUInt32LE(12) === ENCRYPTED_USER) throw new Encrypted();
  return head.readUInt32LE(16);
}

/** Narrow text has the lower half of each character. */
async function* textOf(stream: RandomAccess, { type, from, to }: PowerPointRecord): AsyncGenerator<string> {
  let first = true;
  for await (const bytes of chunksOf(stream, from, to)) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(
      type === NARROW_TEXT ? 'latin1' : 'utf16le',
    );
    // The names of PowerPoint's own tags.
    if (first && type === STRING && text.startsWith('___PPT')) return;
    first = false;
    yield text.replace(/[\r\v]/g, '\n');
  }
  if (!first) yield '\n';
}

const COMPRESSED = 1;
/** The uncompressed length precedes compressed data. */
const SIZE_BYTES = 4;

/** A sheet, a diagram or another document within the presentation: a compound file of its own. */
function embeddedObject(
  stream: RandomAccess,
  { from, to, instance }: PowerPointRecord,
  name: string,
  budget: ExtractionBudget,
): EmbeddedEntry {
  budget.countEntry();
  const bytes = instance === COMPRESSED ? decompressed(stream, from, to, budget) : chunksOf(stream, from, to);
  return { is: 'entry', name, bytes };
}

async function* decompressed(
  stream: RandomAccess,
  from: number,
  to: number,
  budget: ExtractionBudget,
): AsyncGenerator<Uint8Array> {
  const size = uint32(await stream.read(from, from + SIZE_BYTES), 0);
  yield* deflatedData(stream, { from: from + SIZE_BYTES, to, size }, budget);
}
