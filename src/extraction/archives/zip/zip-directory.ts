/**
 * Random access to a zip archive by its central directory, for packages whose parts are read out of order.
 *
 * Format: APPNOTE.TXT 6.3.10, sections 4.3.12 to 4.3.16. For the reason why no library is used see zip.ts; entries are decompressed by
 * the same code.
 */
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { RandomAccess } from '../../document-item.ts';
import { CorruptInput, LimitExceeded } from '../../extraction-error.ts';
import { ByteQueue } from '../../formats/byte-queue.ts';
import { streamRange } from '../byte-range.ts';
import { CorruptDirectory, type DirectoryLocation, findDirectory } from './zip-end.ts';
import { nameOf, viewOf, widen } from './zip-fields.ts';
import { type Packed, unpackEntry } from './zip-method.ts';

const RECORD = 0x02014b50;
const RECORD_SIZE = 46;
const LOCAL = 0x04034b50;
const LOCAL_SIZE = 30;
const MAX_DIRECTORY_SIZE = 64 * 1024 * 1024;

export interface ZipMember {
  readonly name: string;
  /** As claimed by the archive; the actual output may differ. */
  readonly size: number;
  /** May be called repeatedly; members may be read concurrently. Throws an ExtractionError about this member only. */
  bytes(): AsyncIterable<Uint8Array>;
}

export interface ZipDirectory {
  /** In the directory's order, folders included (they end with a slash). */
  readonly members: readonly ZipMember[];
  readonly names: readonly string[];
  /** Ignores case, the direction of slashes and a leading slash. The last of several matches wins. */
  find(name: string): ZipMember | null;
}

/** Nothing but the directory is believed, and it only if no two members share bytes: else a few of them could become endless text. */
export async function openZip(input: RandomAccess, budget: ExtractionBudget): Promise<ZipDirectory> {
  const location = await findDirectory(input);
  if (location.to - location.from > MAX_DIRECTORY_SIZE) throw new LimitExceeded('zip directory');
  const records = readRecords(await input.read(location.from, location.to), location, budget);
  refuseOverlaps(records, location.from);
  const members = records.map((record) => memberOf(record, input, budget));
  const byName = new Map(members.map((member) => [plainName(member.name), member]));
  return {
    members,
    names: members.map(({ name }) => name),
    find: (name) => byName.get(plainName(name)) ?? null,
  };
}

interface Record extends Packed {
  readonly name: string;
  readonly rawName: Uint8Array;
  /** Of the local header. */
  readonly from: number;
  /** Where the next member or the directory begins. */
  to: number;
}

function readRecords(
  bytes: Uint8Array,
  { count, shift }: DirectoryLocation,
  budget: ExtractionBudget,
): Record[] {
  const records: Record[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (records.length === budget.limits.entries) throw new LimitExceeded('entries');
    const { record, length } = readRecord(bytes.subarray(at), shift);
    records.push(record);
    at += length;
  }
  // Without zip64 the number has two bytes, and there are archives with more.
  if (count !== records.length && count !== records.length % 0x10000) throw new CorruptDirectory();
  return records;
}

function readRecord(bytes: Uint8Array, shift: number): { record: Record; length: number } {
  const view = viewOf(bytes);
  if (bytes.length < RECORD_SIZE || view.getUint32(0, true) !== RECORD) throw new CorruptDirectory();
  const nameEnd = RECORD_SIZE + view.getUint16(28, true);
  const extraEnd = nameEnd + view.getUint16(30, true);
  const length = extraEnd + view.getUint16(32, true);
  if (length > bytes.length) throw new CorruptDirectory();
  const flags = view.getUint16(8, true);
  const rawName = bytes.subarray(RECORD_SIZE, nameEnd);
  const extra = bytes.subarray(nameEnd, extraEnd);
  const narrow = {
    compressedSize: view.getUint32(20, true),
    size: view.getUint32(24, true),
    offset: view.getUint32(42, true),
  };
  const { compressedSize, size, offset } = widen(narrow, extra);
  const record: Record = {
    // Some writers separate folders by a backslash, as in Windows.
    name: nameOf(rawName, flags, extra).replaceAll('\\', '/'),
    rawName,
    flags,
    method: view.getUint16(10, true),
    crc: view.getUint32(16, true),
    compressedSize,
    size,
    from: offset + shift,
    to: 0,
  };
  return { record, length };
}

function refuseOverlaps(records: readonly Record[], directory: number): void {
  const inOrder = records.toSorted((a, b) => a.from - b.from);
  for (const [i, record] of inOrder.entries()) {
    record.to = inOrder[i + 1]?.from ?? directory;
    const min = record.from + LOCAL_SIZE + record.rawName.length + record.compressedSize;
    if (record.from >= directory || min > directory) throw new CorruptDirectory();
    if (min > record.to) throw new CorruptInput('overlapping zip entries');
  }
}

function memberOf(record: Record, input: RandomAccess, budget: ExtractionBudget): ZipMember {
  return { name: record.name, size: record.size, bytes: () => bytesOf(record, input, budget) };
}

async function* bytesOf(
  record: Record,
  input: RandomAccess,
  budget: ExtractionBudget,
): AsyncGenerator<Uint8Array> {
  const queue = new ByteQueue(streamRange(input, record.from, record.to));
  const header = viewOf(await queue.take(LOCAL_SIZE));
  if (header.byteLength < LOCAL_SIZE || header.getUint32(0, true) !== LOCAL)
    throw new CorruptInput('zip local header');
  const method = header.getUint16(8, true);
  const nameLength = header.getUint16(26, true);
  const extraLength = header.getUint16(28, true);
  const name = await queue.take(nameLength);
  if (method !== record.method || Buffer.compare(name, record.rawName) !== 0)
    throw new CorruptInput('zip local header');
  await queue.take(extraLength);
  const from = record.from + LOCAL_SIZE + nameLength + extraLength;
  if (from + record.compressedSize > record.to) throw new CorruptInput('overlapping zip entries');
  queue.fence(record.compressedSize);
  yield* unpackEntry(record, queue, budget);
}

function plainName(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase();
}
