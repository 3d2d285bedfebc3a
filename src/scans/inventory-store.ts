/** The inventory in the database: written with each checkpoint, read in key order beside the listing. */
import { type Key, keyBytes, keyFromBytes } from '../base/key.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { SourceObject } from '../sources/source.ts';
import type { FaintObject } from './faint.ts';
import { Block, type InventoryHash, type Known } from './inventory.ts';
import { blockKey } from './parts/part.ts';
import type { StaleRows } from './suppressions/stale-rows.ts';

const BLOCKS_AT_ONCE = 16;

/** What an earlier scan knew, for a listing that goes forward from `after`. */
export class Inventory {
  readonly #db: Queryable;
  readonly #scan: number | null;
  readonly #hash: InventoryHash;
  readonly #stale: StaleRows | null;
  #after: Key;
  #blocks: Block[] = [];
  #late: Block[] = []; // those of objects that were read by parts
  #ended = false;

  constructor(
    db: Queryable,
    scan: number | null,
    hash: InventoryHash,
    after: Key,
    stale: StaleRows | null = null,
  ) {
    this.#db = db;
    this.#scan = scan;
    this.#hash = hash;
    this.#after = after;
    this.#stale = stale;
  }

  /** Loads what is needed to answer for keys up to this one. */
  async prepare(upTo: Key): Promise<void> {
    while (!this.#ended && this.#after <= upTo) {
      const blocks = this.#scan === null ? [] : await readBlocks(this.#db, this.#scan, this.#after);
      for (const block of blocks) (isLate(block) ? this.#late : this.#blocks).push(block);
      this.#after = blocks.at(-1)?.upTo ?? this.#after;
      this.#ended = blocks.length < BLOCKS_AT_ONCE;
    }
    await this.#stale?.prepare(upTo);
  }

  /** Null: new, changed, not known well enough, or judged under other suppressions. Keys must be asked in order and after `prepare`. */
  unchanged(object: SourceObject): Known | null {
    const entry = this.#hash.of(object);
    const { late, block } = this.#blocksOf(object.key);
    const known = late?.find(entry) ?? block?.find(entry) ?? null;
    return known === 'has a row' && this.#stale?.has(object.key) ? null : known;
  }

  /** What the object was, as a hash. Null: not known. The same key may be asked again, else as above. */
  identityOf(key: Key): string | null {
    const entry = this.#hash.of({ key, identity: '' });
    const { late, block } = this.#blocksOf(key);
    return late?.identityOf(entry) ?? block?.identityOf(entry) ?? null;
  }

  #blocksOf(key: Key): { late: Block | undefined; block: Block | undefined } {
    while (this.#blocks[0] && this.#blocks[0].upTo < key) this.#blocks.shift();
    while (this.#late[0] && this.#late[0].upTo <= key) this.#late.shift();
    const late = this.#late[0]?.upTo === blockKey(key) ? this.#late[0] : undefined;
    return { late, block: this.#blocks[0] };
  }

  /** Of an object that was just found to be unchanged and clean: what is known of values below the threshold. */
  faint({ key }: SourceObject): FaintObject | null {
    const late = this.#late[0]?.upTo === blockKey(key) ? this.#late[0].faint(key) : null;
    return late ?? this.#blocks[0]?.faint(key) ?? null;
  }
}

function isLate({ upTo }: Block): boolean {
  return upTo.endsWith('\0');
}

async function readBlocks(db: Queryable, scan: number, after: Key): Promise<Block[]> {
  const { rows } = await db.query<{ up_to: Buffer; entries: Buffer; faint: Buffer | null }>(
    `select up_to, entries, faint from inventory join scan on scan.id = inventory.scan_id
     where scan_id = $1 and (inventory.inventory_key = scan.inventory_key or not scan.blocks_have_keys)
       and substring(up_to from 1 for 1024) >= substring($2::bytea from 1 for 1024) and up_to > $2
     order by substring(up_to from 1 for 1024), up_to
     limit ${BLOCKS_AT_ONCE}`,
    [scan, keyBytes(after)],
  );
  return rows.map((row) => new Block(keyFromBytes(row.up_to), row.entries, row.faint));
}

export interface NewBlock {
  readonly upTo: Key;
  readonly entries: Buffer;
  readonly faint: Buffer | null;
  /** What this process would call the versions, rules and settings that it read the objects under: see inventoryKey in start.ts. */
  readonly inventoryKey: string;
}

/**
 * A process whose versions differ from those that the scan was started with writes no block: a later scan under the scan's versions would
 * take the objects for unchanged, although the detectors of that version never saw them.
 */
export async function writeBlock(
  tx: Tx,
  scan: number,
  { upTo, entries, faint, inventoryKey }: NewBlock,
): Promise<void> {
  const { rowCount } = await tx.query(
    `insert into inventory (scan_id, tenant, up_to, entries, faint, inventory_key)
     select id, tenant, $2, $3, $4, $5 from scan where id = $1 and inventory_key = $5`,
    [scan, keyBytes(upTo), entries, faint, inventoryKey],
  );
  if (rowCount === 0) await markMixedVersions(tx, scan);
}

async function markMixedVersions(tx: Tx, scan: number): Promise<void> {
  await tx.query('update scan set mixed_versions = true where id = $1 and not mixed_versions', [scan]);
}

/** Older inventories of the same source and rules are superseded once a scan has completed, unless a scan builds on them. */
export async function pruneInventories(db: Queryable, scan: number): Promise<void> {
  await db.query(
    `delete from inventory using scan old, scan done
     where done.id = $1 and done.status = 'completed' and old.tenant = done.tenant
       and hashtextextended(old.source, 0) = hashtextextended(done.source, 0) and old.source = done.source
       and old.scope_hash = done.scope_hash
       and old.inventory_key = done.inventory_key
       and old.id < done.id and inventory.scan_id = old.id
       and not exists (select 1 from scan user_ where user_.base_scan = old.id and user_.finished_at is null)`,
    [scan],
  );
}
