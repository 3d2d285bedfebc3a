/** The inventory of objects whose names are values: the same results as for others, with bounded memory. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan } from '../../../test/support/scan.ts';
import { type Key, keyBytes, keyOf } from '../../base/key.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import type { SourceObject } from '../../sources/source.ts';
import { BlockDirectory } from '../inventory/block-directory-store.ts';
import { BlockWriter, InventoryHash } from '../inventory/inventory.ts';
import { Inventory } from '../inventory/inventory-store.ts';
import { NameMasker } from './name-masker.ts';

const names = new NameMasker(Buffer.alloc(32, 7));
const hash = new InventoryHash(Buffer.alloc(32, 7));
const EACH = 3; // objects per block

let db: Database;
beforeEach(async () => {
  db = await freshDatabase();
});
afterEach(() => db.close());

const objectOf = (key: Key, identity = 'v1'): SourceObject => ({ key, size: 1, modified: null, identity });
const inOrder = (keys: readonly string[]): Key[] => keys.map(keyOf).sort((a, b) => (a < b ? -1 : 1));
const digits = (n: number) => String(n).padStart(5, '0');
const emails = (count: number) =>
  inOrder(Array.from({ length: count }, (_, n) => `users/ann${digits(n)}@example.com/mail.txt`));
const plain = (count: number) =>
  inOrder(Array.from({ length: count }, (_, n) => `users/ann${digits(n)}/mail.txt`));
/** Nested groups, names of both kinds mixed, before and after. */
const mixed = (count: number) =>
  inOrder(
    Array.from({ length: count }, (_, n) => {
      const name = n % 3 === 0 ? `ann${digits(n)}@example.com` : `report-${digits(n)}`;
      return `${['a', 'users/', 'users/archive/', 'users/b/c', 'z/'][n % 5]}${name}.txt`;
    }),
  );

/** A scan with blocks of a few objects each, and of one object each for `late`. */
async function scanOf(keys: readonly Key[], late: readonly Key[] = []): Promise<number> {
  const id = await plannedScan(db, createMemorySource({ a: '' }, { id: 'memory:x' }));
  const upTo: Buffer[] = [];
  const entries: Buffer[] = [];
  const add = (stored: Key, of: readonly Key[]) => {
    const writer = new BlockWriter();
    for (const key of of) writer.add(hash.of(objectOf(key)), 'clean');
    upTo.push(keyBytes(names.seal(stored)));
    entries.push(writer.bytes()!);
  };
  const early = keys.filter((key) => !late.includes(key));
  for (let at = 0; at < early.length; at += EACH) {
    const some = early.slice(at, at + EACH);
    add(some.at(-1)!, some);
  }
  for (const key of late) add(`${key}\0` as Key, [key]);
  await db.query(
    `insert into inventory_block (scan_id, tenant, up_to, entries, inventory_key)
     select scan.id, tenant, block.up_to, block.entries, inventory_key
     from scan, unnest($2::bytea[], $3::bytea[]) as block(up_to, entries) where scan.id = $1`,
    [id, upTo, entries],
  );
  return id;
}

/** Counts queries and the keys and blocks that they return. */
function counted() {
  const count = { queries: 0, keys: 0, blocks: 0 };
  const query = async (text: string, values: unknown[]) => {
    const result = await db.query<object>(text, values);
    count.queries++;
    const blocks = result.rows.filter((row) => 'entries' in row).length;
    count.blocks += blocks;
    count.keys += result.rows.length - blocks;
    return result;
  };
  return { count, store: { query } as unknown as Queryable };
}

const openInventory = (store: Queryable, scan: number, after: Key) =>
  new Inventory(store, scan, hash, after, null, names);

describe('an inventory of sealed keys', () => {
  it.each([
    ['the beginning', -1],
    ['the middle', 2999],
    ['the end', 5990],
  ])('loads a few blocks for one window, from %s', async (_, from) => {
    for (const keys of [emails(6000), plain(6000)]) {
      const scan = await scanOf(keys);
      const { count, store } = counted();
      const inventory = openInventory(store, scan, keys[from] ?? keyOf(''));
      await inventory.prepare(keys[from + 1]!);
      expect(inventory.unchanged(objectOf(keys[from + 1]!))).toBe('clean');
      expect(count.blocks).toBeLessThanOrEqual(16);
      expect(inventory.loadedBlocks).toBe(count.blocks);
      expect(count.queries).toBeLessThanOrEqual(8);
    }
  });

  it('holds a few blocks at a time, and loads each once', async () => {
    const keys = emails(6000);
    const { count, store } = counted();
    const inventory = openInventory(store, await scanOf(keys), keyOf(''));
    let most = 0;
    for (let at = 0; at < keys.length; at += 20) {
      const window = keys.slice(at, at + 20);
      await inventory.prepare(window.at(-1)!);
      most = Math.max(most, inventory.loadedBlocks);
      expect(window.map((key) => inventory.unchanged(objectOf(key)))).toEqual(window.map(() => 'clean'));
    }
    expect(most).toBeLessThanOrEqual(40);
    expect(count.blocks).toBe(2000);
    expect(count.queries).toBeLessThanOrEqual(2000 / 16 + 8);
  });

  it('does not load the blocks of deleted objects', async () => {
    for (const keys of [emails(6000), plain(6000)]) {
      const { count, store } = counted();
      const inventory = openInventory(store, await scanOf(keys), keyOf(''));
      await inventory.prepare(keys[1]!, keys[0]);
      expect(inventory.unchanged(objectOf(keys[0]!))).toBe('clean');
      await inventory.prepare(keys[5900]!, keys[5890]);
      expect(inventory.unchanged(objectOf(keys[5890]!))).toBe('clean');
      expect(count.blocks).toBeLessThanOrEqual(3 * 16);
    }
  });

  it('finds exactly the unchanged objects, wherever a shard starts', async () => {
    const keys = mixed(400);
    const late = keys.filter((_, n) => n % 7 === 0);
    const scan = await scanOf(keys, late);
    const changed = (n: number) => n % 5 === 0;
    for (const from of [-1, 0, 57, 130, 131, 132, 255, 390]) {
      const inventory = openInventory(db, scan, keys[from] ?? keyOf(''));
      for (let at = from + 1; at < keys.length; at += 30) {
        const window = keys.slice(at, at + 30);
        await inventory.prepare(window.at(-1)!, window[0]);
        const states = window.map((key, n) => inventory.unchanged(objectOf(key, changed(n) ? 'v2' : 'v1')));
        expect(states).toEqual(window.map((_key, n) => (changed(n) ? null : 'clean')));
        expect(inventory.unchanged(objectOf(`${window.at(-1)!}!` as Key))).toBeNull();
      }
    }
  });
});

describe('the directory of blocks', () => {
  /** About eight sealed keys fit. */
  const limits = { firstPage: 2, page: 10, keptBytes: 2500 };

  async function taken(store: Queryable, scan: number, after: Key): Promise<{ keys: Key[]; most: number }> {
    const directory = new BlockDirectory(store, scan, after, names, limits);
    const keys: Key[] = [];
    let most = 0;
    for (let some = await directory.take(3); some.length > 0; some = await directory.take(3)) {
      keys.push(...some.map(({ upTo }) => upTo));
      most = Math.max(most, directory.heldBytes);
    }
    return { keys, most };
  }

  it.each([
    ['sealed', emails],
    ['mixed', mixed],
    ['plain', plain],
  ])('gives %s keys in order, each once, and keeps a few', async (_, make) => {
    const keys = make(300);
    const scan = await scanOf(keys);
    const ends = keys.filter((_key, n) => n % EACH === EACH - 1);
    for (const from of [-1, 0, 40, 41, 150, 298]) {
      const after = keys[from] ?? keyOf('');
      const result = await taken(db, scan, after);
      expect(result.keys).toEqual(ends.filter((key) => key > after));
      expect(result.most).toBeLessThanOrEqual(limits.keptBytes);
    }
  });

  it('reads the keys of a group again only when those that were kept are passed', async () => {
    const keys = emails(300); // a hundred blocks
    const { count, store } = counted();
    await taken(store, await scanOf(keys), keyOf(''));
    const passes = Math.ceil(100 / 8);
    expect(count.keys).toBeLessThanOrEqual(passes * (100 + 1));
    expect(count.queries).toBeLessThanOrEqual(passes * (100 / limits.page + 4) + 2);
    expect(count.blocks).toBe(0);
  });
});
