/** The inventory in the database: written with each checkpoint, read in key order beside the listing. */
import { FIRST_KEY, type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import { many, type Queryable, type Tx } from '../../db/database.ts';
import type { SourceObject } from '../../sources/source.ts';
import type { SubThresholdObject } from '../results/sub-threshold.ts';
import { lateBlockKey } from '../segments/segment.ts';
import type { StaleRows } from '../suppressions/stale-rows.ts';
import { BlockDirectory, type BlockKey, IN_FORCE } from './block-directory-store.ts';
import { Block, type InventoryHash, type InventoryState } from './inventory.ts';

const BLOCKS_AT_ONCE = 16;

/**
 * The inventory of an earlier scan, read forward from `after`. Keeps the blocks around the current position
 * of the listing.
 */
export class Inventory {
  readonly #db: Queryable;
  readonly #scan: number | null;
  readonly #hash: InventoryHash;
  readonly #stale: StaleRows | null;
  readonly #storage: KeyCodec;
  readonly #directory: BlockDirectory | null;
  #loadedTo: Key;
  #blocks: Block[] = [];
  #late: Block[] = []; // blocks of objects that were read by segments
  #ended = false;

  constructor(
    db: Queryable,
    scan: number | null,
    hash: InventoryHash,
    after: Key,
    stale: StaleRows | null = null,
    storage: KeyCodec = PLAIN_KEYS,
  ) {
    this.#db = db;
    this.#scan = scan;
    this.#hash = hash;
    this.#loadedTo = after;
    this.#stale = stale;
    this.#storage = storage;
    this.#directory = scan === null ? null : new BlockDirectory(db, scan, after, storage);
  }

  /** Number of blocks whose entries are in memory. */
  get loadedBlocks(): number {
    return this.#blocks.length + this.#late.length;
  }

  /**
   * Loads what is needed for keys from `from` up to `upTo`: the blocks up to the first one that ends after
   * it. Blocks that end before `from` are skipped: a whole bucket of them, if its objects are gone.
   */
  async prepare(upTo: Key, from: Key = FIRST_KEY): Promise<void> {
    while (!this.#ended && this.#loadedTo <= upTo) {
      const places = (await this.#directory?.take(BLOCKS_AT_ONCE)) ?? [];
      this.#ended = places.length === 0;
      this.#loadedTo = places.findLast((block) => !isLate(block))?.upTo ?? this.#loadedTo;
      const needed = places.filter((block) => block.upTo >= from);
      if (needed.length === 0) continue;
      for (const block of await readBlocks(this.#db, this.#scan!, needed, this.#storage))
        (isLate(block) ? this.#late : this.#blocks).push(block);
    }
    await this.#stale?.prepare(upTo);
  }

  /**
   * Returns null for an object that is new, changed, missing in the inventory, or evaluated under other
   * suppressions. Keys must be passed in order and after `prepare`.
   */
  unchanged(object: SourceObject): InventoryState | null {
    const entry = this.#hash.of(object);
    const { late, block } = this.#blocksOf(object.key);
    const state = late?.find(entry) ?? block?.find(entry) ?? null;
    return state === 'has a row' && this.#stale?.has(object.key) ? null : state;
  }

  /**
   * The hash of the object's version tag; null if missing. The same key may be passed again; otherwise as
   * above.
   */
  versionTagOf(key: Key): string | null {
    const entry = this.#hash.of({ key, identity: '' });
    const { late, block } = this.#blocksOf(key);
    return late?.versionTagOf(entry) ?? block?.versionTagOf(entry) ?? null;
  }

  #blocksOf(key: Key): { late: Block | undefined; block: Block | undefined } {
    while (this.#blocks[0] && this.#blocks[0].upTo < key) this.#blocks.shift();
    while (this.#late[0] && this.#late[0].upTo <= key) this.#late.shift();
    const late = this.#late[0]?.upTo === lateBlockKey(key) ? this.#late[0] : undefined;
    return { late, block: this.#blocks[0] };
  }

  /** Counts of values below the threshold, for an object just found to be unchanged and clean. */
  subThreshold({ key }: SourceObject): SubThresholdObject | null {
    const late = this.#late[0]?.upTo === lateBlockKey(key) ? this.#late[0].subThreshold(key) : null;
    return late ?? this.#blocks[0]?.subThreshold(key) ?? null;
  }
}

function isLate({ upTo }: BlockKey): boolean {
  return upTo.endsWith('\0');
}

/** Reads the blocks in the given order. */
async function readBlocks(
  db: Queryable,
  scan: number,
  places: readonly BlockKey[],
  storage: KeyCodec,
): Promise<Block[]> {
  const keys = places.map(({ stored }) => keyBytes(stored));
  const rows = await many<{ up_to: Buffer; entries: Buffer; subThreshold: Buffer | null }>(
    db,
    `select up_to, entries, sub_threshold as "subThreshold" from inventory_block join scan on scan.id = inventory_block.scan_id
     where scan_id = $1 and ${IN_FORCE}
       and substring(up_to from 1 for 1024) = any($2) and up_to = any($3)`,
    [scan, keys.map((key) => key.subarray(0, 1024)), keys],
  );
  const order = new Map(places.map(({ stored }, n) => [stored, n]));
  return rows
    .map((row) => new Block(keyFromBytes(row.up_to), row.entries, row.subThreshold, storage))
    .sort((a, b) => order.get(a.stored)! - order.get(b.stored)!);
}

export interface NewBlock {
  /** In stored form. */
  readonly upTo: Key;
  readonly entries: Buffer;
  readonly subThreshold: Buffer | null;
  /** The inventory key by this process's versions, rules and settings: see inventoryKey in start-scan.ts. */
  readonly inventoryKey: string;
}

/**
 * A process whose versions differ from those that the scan was started with writes no block: a later scan
 * under the scan's versions would treat the objects as unchanged, although the detectors of that version
 * never inspected them.
 */
export async function writeBlock(
  tx: Tx,
  scan: number,
  { upTo, entries, subThreshold, inventoryKey }: NewBlock,
): Promise<void> {
  const { rowCount } = await tx.query(
    `insert into inventory_block (scan_id, tenant, up_to, entries, sub_threshold, inventory_key)
     select id, tenant, $2, $3, $4, $5 from scan where id = $1 and inventory_key = $5`,
    [scan, keyBytes(upTo), entries, subThreshold, inventoryKey],
  );
  if (rowCount === 0) await markMixedVersions(tx, scan);
}

async function markMixedVersions(tx: Tx, scan: number): Promise<void> {
  await tx.query('update scan set mixed_versions = true where id = $1 and not mixed_versions', [scan]);
}

/**
 * Removes older inventories of the same source and rules once a scan has completed, unless a scan uses them
 * as its base.
 */
export async function pruneInventories(db: Queryable, scan: number): Promise<void> {
  await db.query(
    `delete from inventory_block using scan old, scan done
     where done.id = $1 and done.status = 'completed' and old.tenant = done.tenant
       and hashtextextended(old.source, 0) = hashtextextended(done.source, 0) and old.source = done.source
       and old.scope_hash = done.scope_hash
       and old.inventory_key = done.inventory_key
       and old.id < done.id and inventory_block.scan_id = old.id
       and not exists (select 1 from scan user_ where user_.parent_scan = old.id and user_.finished_at is null)`,
    [scan],
  );
}
