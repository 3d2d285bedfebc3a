import { crc32 } from 'node:zlib';
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { RandomAccess } from '../../document-item.ts';
import { CorruptInput, LimitExceeded } from '../../extraction-error.ts';
import { streamRange } from '../byte-range.ts';
import { HeaderReader } from './seven-zip-fields.ts';
import { type FileList, NO_FILES, readFileList } from './seven-zip-files.ts';
import { FolderBytes } from './seven-zip-folder.ts';
import { readStreams, type Streams, sizeOf } from './seven-zip-streams.ts';

const SIGNATURE = Buffer.from('7z\xbc\xaf\x27\x1c', 'latin1');
/** Packed streams and headers are counted from here. */
export const START = 32;
const MAX_HEADER_SIZE = 128 * 1024 * 1024;
/** A compressed header may itself be compressed again; no known program does it twice. */
const MAX_PACKINGS = 4;

const END = 0;
const HEADER = 1;
const PROPERTIES = 2;
const OTHER_STREAMS = 3;
const STREAMS = 4;
const FILES = 5;
const PACKED_HEADER = 23;

export interface SevenZipHeader {
  readonly streams: Streams;
  readonly files: FileList;
}

const EMPTY: SevenZipHeader = { streams: { from: 0, packed: [], folders: [] }, files: NO_FILES };

export async function readSevenZipHeader(
  input: RandomAccess,
  budget: ExtractionBudget,
): Promise<SevenZipHeader> {
  let bytes = await findHeader(input);
  for (let packings = 0; packings <= MAX_PACKINGS; packings++) {
    if (bytes.length === 0) return EMPTY;
    const header = new HeaderReader(bytes);
    const kind = header.byte();
    if (kind === HEADER) return readFields(header);
    if (kind !== PACKED_HEADER) break;
    bytes = await unpackHeader(readStreams(header), input, budget);
  }
  throw new CorruptInput('7z header');
}

/** The header is at the archive's end; the first header contains its offset. */
async function findHeader(input: RandomAccess): Promise<Uint8Array> {
  const start = await input.read(0, START);
  if (SIGNATURE.compare(start.subarray(0, 6)) !== 0) throw new CorruptInput('7z archive');
  if (start.length < START) throw new CorruptInput('truncated 7z archive');
  const view = new DataView(start.buffer, start.byteOffset, START);
  if (view.getUint32(8, true) !== crc32(start.subarray(12))) throw new CorruptInput('7z header');
  const from = START + Number(view.getBigUint64(12, true));
  const size = Number(view.getBigUint64(20, true));
  if (from + size > input.size) throw new CorruptInput('truncated 7z archive');
  if (size > MAX_HEADER_SIZE) throw new LimitExceeded('7z header');
  const bytes = await input.read(from, from + size);
  if (bytes.length < size) throw new CorruptInput('truncated 7z archive');
  if (size > 0 && crc32(bytes) !== view.getUint32(28, true)) throw new CorruptInput('7z header');
  return bytes;
}

async function unpackHeader(
  { from, packed, folders }: Streams,
  input: RandomAccess,
  budget: ExtractionBudget,
): Promise<Uint8Array> {
  const [folder] = folders;
  if (folder === undefined || packed.length !== 1) throw new CorruptInput('7z header');
  const size = sizeOf(folder);
  if (size > MAX_HEADER_SIZE) throw new LimitExceeded('7z header');
  const range = streamRange(input, START + from, START + from + packed[0]!);
  const unpacked = new FolderBytes(folder, [range], budget);
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of unpacked.file(0, { size, sum: folder.sum }))
      chunks.push(Uint8Array.from(chunk));
  } finally {
    await unpacked.close();
  }
  return Buffer.concat(chunks);
}

function readFields(header: HeaderReader): SevenZipHeader {
  let { streams, files } = EMPTY;
  for (let kind = header.byte(); kind !== END; kind = header.byte()) {
    if (kind === STREAMS) streams = readStreams(header);
    else if (kind === FILES) files = readFileList(header);
    else if (kind === OTHER_STREAMS) readStreams(header);
    else if (kind === PROPERTIES) skipProperties(header);
    else throw new CorruptInput('7z header');
  }
  return { streams, files };
}

function skipProperties(header: HeaderReader): void {
  while (header.byte() !== END) header.take(header.number());
}
