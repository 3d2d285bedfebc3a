/**
 * OLE2 compound files, the container of Office documents up to 2003 and of Outlook messages.
 *
 * Format: [MS-CFB] sections 2.2 to 2.6.
 *
 * No library: cfb, the package of SheetJS, takes the whole file as one buffer. Here sectors are read by range, loops of chains end,
 * and what a damaged FAT still describes is read.
 */
import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput, LimitExceeded } from '../../../extraction-error.ts';
import { ChainedStream, readChain, readFully, type Sectors } from './chained-stream.ts';
import { Directory, type Storage } from './compound-directory.ts';
import { SectorChains } from './sector-chains.ts';
import { readFat, wordsOf } from './sector-tables.ts';

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const HEADER_BYTES = 512;
const MINI_SECTOR_BYTES = 64;
const MINI_STREAM_CUTOFF = 4096;
/** 256k entries. */
const DIRECTORY_BYTES = 32 * 1024 * 1024;

export interface CompoundFile {
  readonly root: Storage;
  /** Parts of the directory can't be followed: there was more than is seen. */
  readonly damaged: boolean;
}

/**
 * OLE2 compound files [MS-CFB]: a file system of storages and streams in one file. A table, the FAT, chains its
 * sectors; the FAT's own sectors are listed in the DIFAT. Small streams live in sectors of 64 bytes, chained by a
 * table of their own, inside the stream of the root.
 */
export async function openCompoundFile(input: RandomAccess): Promise<CompoundFile> {
  const header = await readFully(input, 0, HEADER_BYTES, 'compound file');
  const shift = header.readUInt16LE(30);
  if (!header.subarray(0, 8).equals(SIGNATURE) || (shift !== 9 && shift !== 12)) {
    throw new CorruptInput('compound file header');
  }
  const bytes = 2 ** shift;
  const chains = new SectorChains(await readFat(input, header, bytes));
  const sectors: Sectors = { base: input, start: bytes, bytes, chains };
  const entries = await readChain(sectors, header.readUInt32LE(48), DIRECTORY_BYTES);
  if (entries.bytes.length >= DIRECTORY_BYTES) throw new LimitExceeded('compound file entries');
  const directory = new Directory(entries.bytes, shift === 12);
  const mini = await miniSectors(sectors, header.readUInt32LE(60), directory, input.size);
  const root = directory.tree(
    ({ first, size }) => new ChainedStream(size < MINI_STREAM_CUTOFF ? mini : sectors, first, size),
  );
  return { root, damaged: directory.damaged || !entries.whole };
}

/** If their table is damaged, the streams are that it would chain. */
async function miniSectors(
  sectors: Sectors,
  table: number,
  directory: Directory,
  max: number,
): Promise<Sectors> {
  const { first, size } = directory.container;
  const { bytes } = await readChain(sectors, table, max);
  return {
    base: new ChainedStream(sectors, first, size),
    start: 0,
    bytes: MINI_SECTOR_BYTES,
    chains: new SectorChains(wordsOf(bytes)),
  };
}
