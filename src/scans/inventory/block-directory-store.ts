/**
 * The order of an inventory's blocks. Blocks are stored by the key of their last entry, and a sealed key is not stored where its object
 * is listed: all blocks below `users/` whose names are values stand together, before the first key that begins so, in no useful order.
 *
 * So keys are read ahead of the entries, a page at a time, opened and sorted. Of a group that is larger than what is kept only the
 * nearest keys stay; when the listing has passed them, the group's keys are read again for the next ones. Opening costs
 * some 50 µs a key, and memory stays the same however large the inventory is.
 */
import { type Key, keyBytes, keyFromBytes, parseSealedKey, SEAL } from '../../base/key.ts';
import type { KeyCodec } from '../../base/sealed-key.ts';
import { many, type Queryable } from '../../db/database.ts';

/** A block without its entries: the key of its last entry, as it is stored and as it is. */
export interface BlockKey {
  readonly stored: Key;
  readonly upTo: Key;
}

/** A range of stored keys that is still to be read: `(after, last]`. */
interface Unread {
  after: Key;
  readonly last: Key | null;
}

export interface DirectoryLimits {
  /** Keys of the first page; each page is larger than the one before, up to `page`. */
  readonly firstPage: number;
  readonly page: number;
  /** Bytes of memory for what is kept between two pages. */
  readonly keptBytes: number;
}

const LIMITS: DirectoryLimits = { firstPage: 64, page: 4096, keptBytes: 8 << 20 };
const BLOCK_KEY_OVERHEAD_BYTES = 100; // of one place, beside the bytes of its two keys; about

export class BlockDirectory {
  readonly #db: Queryable;
  readonly #scan: number;
  readonly #storage: KeyCodec;
  readonly #limits: DirectoryLimits;
  #page: number;
  /** Blocks up to here were taken. */
  #position: Key;
  #buffered: BlockKey[] = []; // in order, behind #taken
  /** Beyond this key places were given up. */
  #bufferedUpTo: Key | null = null;
  /** Groups of sealed keys that stand before #taken and may open to keys behind it; then the rest of the inventory. */
  #unread: Unread[] | null = null;
  /** What is not read yet opens to keys behind this one. Null: all is read. */
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

  /** Bytes of what is kept now. */
  get heldBytes(): number {
    return this.#buffered.reduce((sum, place) => sum + bytesOf(place), 0);
  }

  /** The next blocks, in the order of their objects: at most so many, none only at the end. */
  async take(max: number): Promise<BlockKey[]> {
    for (;;) {
      const known = this.#completeUpTo;
      const ready = this.#buffered.slice(0, max).filter(({ upTo }) => known === null || upTo <= known);
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
    const places = [...new Set(stored)].map((key) => ({ stored: key, upTo: this.#storage.open(key) }));
    const last = stored.length < this.#page ? null : places.at(-1)!;
    if (last === null) this.#unread!.shift();
    else from.after = last.stored;
    if (from.last === null) this.#completeUpTo = last && completeBehind(last);
    this.#page = Math.min(this.#page * 4, this.#limits.page);
    this.#buffer(places);
  }

  #buffer(places: readonly BlockKey[]): void {
    for (const place of places)
      if (place.upTo > this.#position && (this.#bufferedUpTo === null || place.upTo <= this.#bufferedUpTo))
        this.#buffered.push(place);
    this.#buffered.sort((a, b) => (a.upTo < b.upTo ? -1 : a.upTo > b.upTo ? 1 : 0));
    let bytes = 0;
    const full = this.#buffered.findIndex((place) => {
      bytes += bytesOf(place);
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
 * A sealed key stands before all keys that begin like it: behind a key that is not sealed nothing can be missing, behind a sealed one
 * only keys that begin like it.
 */
function completeBehind({ stored, upTo }: BlockKey): Key {
  return stored === upTo ? upTo : ((parseSealedKey(stored)?.before ?? '') as Key);
}

/** Blocks that were written under the rules and versions of their scan. */
export const IN_FORCE = '(inventory.inventory_key = scan.inventory_key or not scan.blocks_have_keys)';

/** Those that exist: what precedes the value in their keys is how `key` begins. */
async function sealedGroupsBefore(db: Queryable, scan: number, key: Key): Promise<Unread[]> {
  if (key === '') return [];
  const groups = Array.from({ length: key.length }, (_, n) => groupOf(key.slice(0, n)));
  const found = await many<{ n: number }>(
    db,
    `select n::int from unnest($2::bytea[], $3::bytea[]) with ordinality as sealed(first, last, n)
     where exists (select 1 from inventory where scan_id = $1
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
    `select up_to from inventory join scan on scan.id = inventory.scan_id
     where scan_id = $1 and ${IN_FORCE}
       and substring(up_to from 1 for 1024) >= substring($2::bytea from 1 for 1024) and up_to > $2
       and ($4::bytea is null or substring(up_to from 1 for 1024) <= substring($4::bytea from 1 for 1024) and up_to <= $4)
     order by substring(up_to from 1 for 1024), up_to
     limit $3`,
    [scan, keyBytes(after), max, last && keyBytes(last)],
  );
  return rows.map((row) => keyFromBytes(row.up_to));
}
