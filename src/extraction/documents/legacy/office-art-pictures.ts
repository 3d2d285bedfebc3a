import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { EmbeddedEntry, RandomAccess } from '../../document-item.ts';
import { CorruptInput } from '../../extraction-error.ts';
import { drawsText } from '../pictures/metafile/metafile.ts';
import { chunksOf } from '../stream-chunks.ts';
import { inStreamBlocks } from './compound-file/stream-blocks.ts';
import { deflatedData } from './deflated-data.ts';

/** [MS-ODRAW] 2.2.24, 2.2.25: how a record with an EMF or a WMF begins, and how many sums of 16 bytes it has first. */
const STARTS: ReadonlyMap<number, number> = new Map([
  [0xf01a_3d40, 1],
  [0xf01a_3d50, 2],
  [0xf01b_2160, 1],
  [0xf01b_2170, 2],
]);
/** The last byte of all of them. */
const MARK = 0xf0;
const RECORD_HEAD = 8;
const SUM_BYTES = 16;
const HEADER_BYTES = 34;
const MAX_HEAD_LENGTH = RECORD_HEAD + 2 * SUM_BYTES + HEADER_BYTES;
const HOW_PACKED = 32;
const DEFLATED = 0;
const PLAIN = 0xfe;
const STEP = 16 * 1024;

interface Picture {
  readonly from: number;
  readonly to: number;
  /** The decompressed size; null: it is not compressed. */
  readonly size: number | null;
}

/**
 * Metafile pictures of Office 97 to 2003, which may contain text. There are a dozen ways to reference them; their header is always the
 * same, and long enough to be searched for.
 */
export async function* drawnPictures(
  streams: readonly (RandomAccess | null)[],
  budget: ExtractionBudget,
): AsyncGenerator<EmbeddedEntry> {
  let number = 0;
  for (const part of streams) {
    if (part === null) continue;
    const stream = inStreamBlocks(part);
    for await (const picture of picturesIn(stream)) {
      number++;
      if (!(await drawsText(bytesOf(stream, picture, budget)))) continue;
      budget.countEntry();
      yield { is: 'entry', name: `picture ${number}`, bytes: bytesOf(stream, picture, budget) };
    }
  }
}

/** Single pass: what follows a picture begins after it. */
async function* picturesIn(stream: RandomAccess): AsyncGenerator<Picture> {
  for (let base = 0; base + MAX_HEAD_LENGTH <= stream.size; ) {
    const end = Math.min(base + STEP, stream.size);
    const bytes = Buffer.from(await stream.read(base, end));
    if (bytes.length < end - base) throw new CorruptInput('truncated stream');
    const picture = firstIn(bytes, base, stream.size);
    if (picture !== null) yield picture;
    base = picture?.to ?? end - MAX_HEAD_LENGTH + 1;
  }
}

function firstIn(bytes: Buffer, base: number, size: number): Picture | null {
  const last = bytes.length - MAX_HEAD_LENGTH;
  for (let mark = bytes.indexOf(MARK, 3); mark !== -1; mark = bytes.indexOf(MARK, mark + 1)) {
    if (mark - 3 > last) return null;
    const picture = pictureAt(bytes, mark - 3, base, size);
    if (picture !== null) return picture;
  }
  return null;
}

function pictureAt(bytes: Buffer, at: number, base: number, size: number): Picture | null {
  const sums = STARTS.get(bytes.readUInt32LE(at));
  if (sums === undefined) return null;
  const header = at + RECORD_HEAD + sums * SUM_BYTES;
  const from = base + header + HEADER_BYTES;
  const to = base + at + RECORD_HEAD + bytes.readUInt32LE(at + 4);
  const compression = bytes[header + HOW_PACKED];
  if (to <= from || to > size || (compression !== DEFLATED && compression !== PLAIN)) return null;
  return { from, to, size: compression === DEFLATED ? bytes.readUInt32LE(header) : null };
}

function bytesOf(
  stream: RandomAccess,
  { from, to, size }: Picture,
  budget: ExtractionBudget,
): AsyncGenerator<Uint8Array> {
  return size === null ? chunksOf(stream, from, to) : deflatedData(stream, { from, to, size }, budget);
}
