/** The inventory in the database: written with each checkpoint, read in key order beside the listing. */
import { type Key, keyBytes, keyFromBytes } from '../base/key.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { SourceObject } from '../sources/source.ts';
import { Block, type InventoryHash, type Known } from './inventory.ts';
import { blockKey } from './parts/part.ts';

const BLOCKS_AT_ONCE = 16;

/** What an earlier scan knew, for a listing that goes forward from `after`. */
export class Inventory {
  readonly #db: Queryable;
  readonly #scan: number | null;
  readonly #hash: InventoryHash;
  #after: Key;
  #blocks: Block[] = [];
  #late: Block[] = []; // those of objects that were read by parts
  #ended = false;

  constructor(db: Queryable, scan: number | null, hash: InventoryHash, after: Key) {
    this.#db = db;
    this.#scan = scan;
    this.#hash = hash;
    this.#after = after;
  }

  /** Loads what is needed to answer for keys up to this one. */
  async prepare(upTo: Key): Promise<void> {
    while (!this.#ended && this.#after <= upTo) {
      const blocks = this.#scan === null ? [] : await readBlocks(this.#db, this.#scan, this.#after);
      for (const block of blocks) (isLate(block) ? this.#late : this.#blocks).push(block);
      this.#after = blocks.at(-1)?.upTo ?? this.#after;
      this.#ended = blocks.length < BLOCKS_AT_ONCE;
    }
  }

  /** Null: new, changed, or not known well enough. Keys must be asked in order and after `prepare`. */
  unchanged(object: SourceObject): Known | null {
    while (this.#blocks[0] && this.#blocks[0].upTo < object.key) this.#blocks.shift();
    while (this.#late[0] && this.#late[0].upTo <= object.key) this.#late.shift();
    const entry = this.#hash.of(object);
    const late = this.#late[0]?.upTo === blockKey(object.key) ? this.#late[0].find(entry) : null;
    return late ?? this.#blocks[0]?.find(entry) ?? null;
  }
}

function isLate({ upTo }: Block): boolean {
  return upTo.endsWith('\0');
}

async function readBlocks(db: Queryable, scan: number, after: Key): Promise<Block[]> {
  const { rows } = await db.query<{ up_to: Buffer; entries: Buffer }>(
    `select up_to, entries from inventory
     where scan_id = $1 and substring(up_to from 1 for 1024) >= substring($2::bytea from 1 for 1024) and up_to > $2
     order by substring(up_to from 1 for 1024), up_to
     limit ${BLOCKS_AT_ONCE}`,
    [scan, keyBytes(after)],
  );
  return rows.map((row) => new Block(keyFromBytes(row.up_to), row.entries));
}

export async function writeBlock(tx: Tx, scan: number, upTo: Key, entries: Buffer): Promise<void> {
  await tx.query(
    `insert into inventory (scan_id, tenant, up_to, entries) select id, tenant, $2, $3 from scan where id = $1`,
    [scan, keyBytes(upTo), entries],
  );
}

/** Older inventories of the same source and rules are superseded once a scan has completed, unless a scan builds on them. */
export async function pruneInventories(db: Queryable, scan: number): Promise<void> {
  await db.query(
    `delete from inventory using scan old, scan done
     where done.id = $1 and done.status = 'completed' and old.tenant = done.tenant and old.source = done.source and old.scope_hash = done.scope_hash
       and old.inventory_key = done.inventory_key
       and old.id < done.id and inventory.scan_id = old.id
       and not exists (select 1 from scan user_ where user_.base_scan = old.id and user_.finished_at is null)`,
    [scan],
  );
}
