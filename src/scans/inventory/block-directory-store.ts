/**
 * The order of an inventory's blocks. Blocks are stored by the key of their last entry, and sealed keys are
 * not stored in listing order: all blocks below `users/` whose names are values are stored together, before
 * the first key with that prefix, in no useful order.
 *
 * So keys are read ahead of the entries, a page at a time, decrypted and sorted. Of a group larger than the
 * buffer only the nearest keys are kept; when the listing has passed them, the group's keys are read again
 * for the next ones. Decrypting costs about 50 µs per key, and memory is bounded for any size of the
 * inventory.
 */
import { type Key, keyBytes, keyFromBytes, parseSealedKey, SEAL } from '../../base/key.ts';
import type { KeyCodec } from '../../base/sealed-key.ts';
import { many, type Queryable } from '../../db/database.ts';

/** A block without its entries: the key of its last entry, in stored and decrypted form. */
export interface BlockKey {
  readonly stored: Key;
  readonly upTo: Key;
}

/** An unread range of stored keys: `(after, last]`. */
interface Unread {
  after: Key;
  readonly last: Key | null;
}

export interface DirectoryLimits {
  /** Keys in the first page; pages grow up to `page`. */
  readonly firstPage: number;
  readonly page: number;
  /** Maximum memory in bytes for the buffer between two pages. */
  readonly keptBytes: number;
}

const LIMITS: DirectoryLimits = { firstPage: 64, page: 4096, keptBytes: 8 << 20 };
const BLOCK_KEY_OVERHEAD_BYTES = 100; // approximate size of an entry, beside the bytes of its two keys

export class BlockDirectory {
  readonly #db: Queryable;
  readonly #scan: number;
  readonly #storage: KeyCodec;
  readonly #limits: DirectoryLimits;
  #page: number;
  /** Blocks up to this key were taken. */
  #position: Key;
  #buffered: BlockKey[] = []; // in order, after #position
  /** Keys beyond this one were dropped from the buffer. */
  #bufferedUpTo: Key | null = null;
  /**
   * Groups of sealed keys that are stored before #position and may decrypt to keys after it; then the rest
   * of the inventory.
   */
  #unread: Unread[] | null = null;
  /** Unread keys decrypt to keys after this one. Null: all are read. */
  #completeUpTo: Key | null;

  constructor(db: Queryable, scan: number, after: Key, storage: KeyCodec, limits = LIMITS) {
    this.#db = db;
    this.#scan = scan;
    this.#position = after;
    this.#completeUpTo = after;
    this.#storage = storage;
    this.#limits = limits;
    this.#page = limits.firstPage;
  }

  /** Current size of the buffer in bytes. */
  get heldBytes(): number {
    return this.#buffered.reduce((sum, block) => sum + bytesOf(block), 0);
  }

  /** The next blocks in listing order: at most `max`, and none only at the end. */
  async take(max: number): Promise<BlockKey[]> {
    for (;;) {
      const limit = this.#completeUpTo;
      const ready = this.#buffered.slice(0, max).filter(({ upTo }) => limit === null || upTo <= limit);
      if (ready.length > 0) {
        this.#buffered.splice(0, ready.length);
        this.#position = ready.at(-1)!.upTo;
        return ready;
      }
      if (this.#unread === null || (this.#buffered.length === 0 && this.#bufferedUpTo !== null))
        await this.#begin();
      else if (this.#unread.length === 0) return [];
      else await this.#readPage(this.#unread[0]!);
    }
  }

  async #begin(): Promise<void> {
    this.#bufferedUpTo = null;
    this.#completeUpTo = this.#position;
    const groups = await sealedGroupsBefore(this.#db, this.#scan, this.#position);
    this.#unread = [...groups, { after: this.#position, last: null }];
  }

  async #readPage(from: Unread): Promise<void> {
    const stored = await readKeys(this.#db, this.#scan, from, this.#page);
    const blocks = [...new Set(stored)].map((key) => ({ stored: key, upTo: this.#storage.open(key) }));
    const last = stored.length < this.#page ? null : blocks.at(-1)!;
    if (last === null) this.#unread!.shift();
    else from.after = last.stored;
    if (from.last === null) this.#completeUpTo = last && completeBehind(last);
    this.#page = Math.min(this.#page * 4, this.#limits.page);
    this.#buffer(blocks);
  }

  #buffer(blocks: readonly BlockKey[]): void {
    for (const block of blocks)
      if (block.upTo > this.#position && (this.#bufferedUpTo === null || block.upTo <= this.#bufferedUpTo))
        this.#buffered.push(block);
    this.#buffered.sort((a, b) => (a.upTo < b.upTo ? -1 : a.upTo > b.upTo ? 1 : 0));
    let bytes = 0;
    const full = this.#buffered.findIndex((block) => {
      bytes += bytesOf(block);
      return bytes > this.#limits.keptBytes;
    });
    if (full < 0) return;
    this.#buffered.length = Math.max(1, full);
    this.#bufferedUpTo = this.#buffered.at(-1)!.upTo;
  }
}

function bytesOf({ stored, upTo }: BlockKey): number {
  return stored.length + upTo.length + BLOCK_KEY_OVERHEAD_BYTES;
}

/**
 * A sealed key is stored before all keys with its prefix: after an unsealed key nothing can be missing,
 * after a sealed one only keys with its prefix.
 */
function completeBehind({ stored, upTo }: BlockKey): Key {
  return stored === upTo ? upTo : ((parseSealedKey(stored)?.before ?? '') as Key);
}

/** Blocks written under the rules and versions of their scan. */
export const IN_FORCE = '(inventory_block.inventory_key = scan.inventory_key or not scan.blocks_have_keys)';

/** The existing groups of sealed keys whose unmasked prefix is a prefix of `key`. */
async function sealedGroupsBefore(db: Queryable, scan: number, key: Key): Promise<Unread[]> {
  if (key === '') return [];
  const groups = Array.from({ length: key.length }, (_, n) => groupOf(key.slice(0, n)));
  const found = await many<{ n: number }>(
    db,
    `select n::int from unnest($2::bytea[], $3::bytea[]) with ordinality as sealed(first, last, n)
     where exists (select 1 from inventory_block where scan_id = $1
       and substring(up_to from 1 for 1024) >= substring(first from 1 for 1024)
       and substring(up_to from 1 for 1024) <= substring(last from 1 for 1024)
       and up_to > first and up_to <= last and up_to <= $4)`,
    [
      scan,
      groups.map(({ after }) => keyBytes(after)),
      groups.map(({ last }) => keyBytes(last)),
      keyBytes(key),
    ],
  );
  return found
    .map(({ n }) => groups[n - 1]!)
    .map(({ after, last }) => ({ after, last: last < key ? last : key }));
}

function groupOf(before: string): { after: Key; last: Key } {
  return { after: (before + SEAL) as Key, last: `${before}\0\x7f` as Key };
}

async function readKeys(db: Queryable, scan: number, { after, last }: Unread, max: number): Promise<Key[]> {
  const rows = await many<{ up_to: Buffer }>(
    db,
    `select up_to from inventory_block join scan on scan.id = inventory_block.scan_id
     where scan_id = $1 and ${IN_FORCE}
       and substring(up_to from 1 for 1024) >= substring($2::bytea from 1 for 1024) and up_to > $2
       and ($4::bytea is null or substring(up_to from 1 for 1024) <= substring($4::bytea from 1 for 1024) and up_to <= $4)
     order by substring(up_to from 1 for 1024), up_to
     limit $3`,
    [scan, keyBytes(after), max, last && keyBytes(last)],
  );
  return rows.map((row) => keyFromBytes(row.up_to));
}
