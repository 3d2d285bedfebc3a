import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { wholeScan } from '../../../test/support/whole-scan.ts';
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import type { Database } from '../../db/database.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import { suppress } from '../suppressions/suppress.ts';
import { removeSuppression } from '../suppressions/suppression-store.ts';
import { compareScans } from './compare.ts';
import type { Difference, Summary } from './difference.ts';

const secret = Buffer.alloc(32, 7); // the key of test scans
let db: Database;
beforeEach(async () => {
  db = await freshDatabase();
});
afterEach(() => db.close());

async function compared(
  before: ScanRow,
  after: ScanRow,
): Promise<{ summary: Summary; differences: Difference[] }> {
  return compareScans(db, secret, before, after, async ({ summary, differences }) => {
    const all: Difference[] = [];
    for await (const difference of differences()) all.push(difference);
    return { summary, differences: all };
  });
}

/** Formats each as `new data EMAIL b.txt:1`. */
const formatted = (differences: readonly Difference[]) =>
  differences.map(({ change, cause, detector, count, before, after }) => {
    const position = (at: Difference['before']) => (at === null ? '' : ` ${at.key}:${at.line ?? count}`);
    return `${change}${cause === null ? '' : ` (${cause})`} ${detector}${position(before)}${position(after)}`;
  });

const scan = async (source: ReturnType<typeof createMemorySource>) => (await wholeScan(db, source)).scan;

describe('two scans', () => {
  it('that found the same differ in nothing', async () => {
    const source = createMemorySource({
      'a.txt': 'ann@example.com ann@example.com',
      'b.txt': 'bob@example.com',
    });
    const { summary, differences } = await compared(await scan(source), await scan(source));
    expect(differences).toEqual([]);
    expect(summary).toEqual({
      types: [{ detector: 'EMAIL', new: 0, gone: 0, moved: 0, unchanged: 3 }],
      counted: 0,
    });
  });

  it('contain what is new, gone and moved, within an object and to another', async () => {
    const source = createMemorySource({
      'a.txt': 'ann@example.com',
      'b.txt': 'bob@example.com',
      'c.txt': 'carl@example.com',
    });
    const before = await scan(source);
    source.put(keyOf('a.txt'), 'one line more\nann@example.com');
    source.put(keyOf('b.txt'), 'nothing');
    source.put(keyOf('c.txt'), 'dora@example.com');
    source.put(keyOf('d.txt'), 'bob@example.com');
    const { summary, differences } = await compared(before, await scan(source));
    expect(formatted(differences)).toEqual([
      'moved EMAIL a.txt:1 a.txt:2',
      'gone (data) EMAIL c.txt:1',
      'new (data) EMAIL c.txt:1',
      'moved EMAIL b.txt:1 d.txt:1',
    ]);
    expect(summary.types).toEqual([{ detector: 'EMAIL', new: 1, gone: 1, moved: 2, unchanged: 0 }]);
  });

  it('count equal values: a second copy is new, and the first is unchanged', async () => {
    const source = createMemorySource({ 'a.txt': 'x\nann@example.com' });
    const before = await scan(source);
    source.put(keyOf('a.txt'), 'ann@example.com\nann@example.com');
    const { differences } = await compared(before, await scan(source));
    expect(formatted(differences)).toEqual(['new (data) EMAIL a.txt:1']);
  });

  it('have handles for both sides', async () => {
    const source = createMemorySource({ 'a.txt': 'ann@example.com' });
    const first = await wholeScan(db, source);
    source.put(keyOf('a.txt'), 'moved ann@example.com');
    const second = await wholeScan(db, source);
    const { differences } = await compared(first.scan, second.scan);
    expect(differences).toMatchObject([
      { before: { handle: first.findings[0]!.handle }, after: { handle: second.findings[0]!.handle } },
    ]);
  });
});

describe('the cause', () => {
  /** As if the first scan had used rules that find nothing in this object. */
  async function underOtherRules(of: ScanRow, path: string): Promise<ScanRow> {
    await db.query(`update scan set inventory_key = 'other rules' where id = $1`, [of.id]);
    await db.query(`update inventory_block set inventory_key = 'other rules' where scan_id = $1`, [of.id]);
    await db.query('delete from object_result where scan_id = $1 and path = $2', [of.id, path]);
    return { ...of, inventoryKey: 'other rules' };
  }

  it('is the rules where they changed and the object did not', async () => {
    const source = createMemorySource({ 'a.txt': 'ann@example.com', 'b.txt': 'bob@example.com' });
    const before = await underOtherRules(await scan(source), 'a.txt');
    source.put(keyOf('b.txt'), 'bob@example.com and carl@example.com');
    const { differences } = await compared(before, await scan(source));
    expect(formatted(differences)).toEqual(['new (rules) EMAIL a.txt:1', 'new (data) EMAIL b.txt:1']);
  });

  it('is determined without inventories from the rows of the objects', async () => {
    const source = createMemorySource({});
    source.put(keyOf('old.txt'), 'ann@example.com', { modified: Date.parse('2020-01-01') });
    const before = await underOtherRules(await scan(source), 'old.txt');
    source.put(keyOf('young.txt'), 'bob@example.com', { modified: Date.now() + 60_000 });
    const after = await scan(source);
    await db.query('delete from inventory_block');
    const { differences } = await compared(before, after);
    expect(formatted(differences)).toEqual(['new (rules) EMAIL old.txt:1', 'new (data) EMAIL young.txt:1']);
  });

  it('is the suppressions where one was added or removed', async () => {
    const source = createMemorySource({ 'a.txt': 'ann@example.com' });
    const plain = await scan(source);
    const match = { detector: 'EMAIL', fingerprint: null, path: '*', source: null, object: null };
    const { id } = await suppress(
      db,
      { tenant: 'default', user: 'ada' },
      { ...match, reason: 'r', owner: 'o', expiresAt: null },
    );
    const accepted = await scan(source);
    expect(formatted((await compared(plain, accepted)).differences)).toEqual([
      'gone (suppressions) EMAIL a.txt:1',
    ]);
    await removeSuppression(db, 'default', id, 'ada');
    expect(formatted((await compared(accepted, await scan(source))).differences)).toEqual([
      'new (suppressions) EMAIL a.txt:1',
    ]);
  });

  it('is that the object was not read: it is never called clean', async () => {
    const source = createMemorySource({ 'a.txt': 'ann@example.com' });
    const before = await scan(source);
    source.put(keyOf('a.txt'), 'ann@example.com!');
    source.failRead(keyOf('a.txt'), new SeineError('permission', 'no'));
    expect(formatted((await compared(before, await scan(source))).differences)).toEqual([
      'gone (not read) EMAIL a.txt:1',
    ]);
  });
});

describe('where more was found than is kept', () => {
  const mails = (count: number, name: string) =>
    Array.from({ length: count }, (_, n) => `${name}${n}@example.com`).join('\n');

  it('counts are compared, and marked as such', async () => {
    const source = createMemorySource({ 'a.txt': mails(130, 'a') });
    const before = await scan(source);
    source.put(keyOf('a.txt'), `new@example.com\n${mails(149, 'a')}`);
    const { summary, differences } = await compared(before, await scan(source));
    expect(formatted(differences)).toEqual(['new (data) EMAIL a.txt:20']);
    expect(differences).toMatchObject([
      { count: 20, fingerprint: null, after: { line: null, handle: null } },
    ]);
    expect(summary).toEqual({
      types: [{ detector: 'EMAIL', new: 20, gone: 0, moved: 0, unchanged: 130 }],
      counted: 1,
    });
  });

  it('an object missing on one side is compared by its kept findings, and the rest by count', async () => {
    const source = createMemorySource({ 'a.txt': 'x' });
    const before = await scan(source);
    source.put(keyOf('b.txt'), mails(130, 'b'));
    const { summary, differences } = await compared(before, await scan(source));
    expect(differences).toHaveLength(101);
    expect(differences.at(-1)).toMatchObject({ change: 'new', count: 30, fingerprint: null });
    expect(summary.types).toMatchObject([{ new: 130, gone: 0, unchanged: 0 }]);
  });
});
