import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { PageStore } from './page-store.ts';

export const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const ENCODINGS = [null, 'utf8', 'utf16le', 'utf16be'] as const;

export type TextEncoding = NonNullable<(typeof ENCODINGS)[number]>;

export interface Database {
  readonly pages: PageStore;
  readonly encoding: TextEncoding;
}

export async function openDatabase(input: RandomAccess): Promise<Database> {
  const header = Buffer.from(await input.read(0, Math.min(HEADER_BYTES, input.size)));
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new CorruptInput('SQLite header');
  if (header.length < HEADER_BYTES) throw new CorruptInput('truncated SQLite database');
  const size = header.readUInt16BE(16);
  const pageSize = size === 1 ? 65536 : size;
  const reserved = header[20]!;
  // Smaller pages could not hold what every page must hold.
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0 || pageSize - reserved < 480)
    throw new CorruptInput('SQLite header');
  // A database that nothing was ever written to has no encoding yet.
  const encoding = ENCODINGS[header.readUInt32BE(56)] ?? 'utf8';
  return { pages: new PageStore(input, pageSize, reserved), encoding };
}
