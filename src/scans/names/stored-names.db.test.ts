/**
 * Objects whose names are values: they are scanned, resumed, skipped, suppressed and retried like all
 * others, and no row contains their names.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { inspectInProcess, plannedScan, recordingJobs, workerDeps } from '../../../test/support/scan.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { wholeScan } from '../../../test/support/whole-scan.ts';
import { displayKey, type Key, keyOf } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import { type Database, many } from '../../db/database.ts';
import { splitLeaseAt } from '../../engine/leases/split-store.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { listLetters } from '../dead-letters/letter-store.ts';
import { retryLetters } from '../dead-letters/retry.ts';
import { finalizeScan } from '../lifecycle/finalize-scan.ts';
import { readScan } from '../lifecycle/scan-store.ts';
import { parseFindingId } from '../results/finding-id.ts';
import { notRead } from '../results/inspection.ts';
import { runScan } from '../run-scan.ts';
import { matchOf, suppress } from '../suppressions/suppress.ts';
import { whatIf } from '../whatif/what-if.ts';
import { NameMasker } from './name-masker.ts';

const names = new NameMasker(Buffer.alloc(32, 7));
const never = new AbortController().signal;
const found = 'mail: ann.somebody@example.com';

let db: Database;
beforeEach(async () => {
  db = await freshDatabase();
});
afterEach(() => db.close());

/** Names with and without values, mixed: sealed keys do not sort in listing order. */
const KEYS = Array.from({ length: 60 }, (_, n) =>
  n % 3 === 0 ? `hr/2${n}-report.txt` : `hr/219-${10 + n}-${1000 + n}.txt`,
).sort();
const values = KEYS.map((key) => /\d{3}-\d{2}-\d{4}/.exec(key)?.[0]).filter((value) => value !== undefined);
const sourceOf = () =>
  createMemorySource(Object.fromEntries(KEYS.map((key) => [key, found])), { id: 'memory:names' });

async function rowsOfAllTables(): Promise<string> {
  const tables = await many<{ name: string }>(
    db,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts = await Promise.all(
    tables.map(({ name }) => many<{ row: string }>(db, `select t::text as row from ${name} t`)),
  );
  return texts
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

async function expectNoValue(): Promise<void> {
  const rows = await rowsOfAllTables();
  const seen = values.filter(
    (value) => rows.includes(value) || rows.includes(Buffer.from(value).toString('hex')),
  );
  expect(rows).toContain('hr/');
  expect(seen).toEqual([]);
}

/** A scan by shards with these bounds, in stored form. */
async function scanInShards(bounds: readonly string[]): Promise<{ id: number; read: string[] }> {
  const { jobs } = recordingJobs(db);
  const source = sourceOf();
  const stored = bounds.map((bound) => names.seal(keyOf(bound)));
  const ranges: Range[] = ['' as Key, ...stored].map((after, i) => ({ after, upTo: stored[i] ?? null }));
  const id = await plannedScan(db, source, ranges);
  const read: string[] = [];
  const pool = inspectInProcess(source, (object, inspection) => {
    read.push(object.key);
    return inspection();
  });
  const run = runScan(id, workerDeps(db, source, jobs, { pool }), never);
  await waitUntil('the scan to be finalized', async () => (await readScan(db, id))!.status === 'finalizing');
  await finalizeScan(db, jobs, id);
  await run;
  return { id, read: read.sort() };
}

describe('objects whose names hold values', () => {
  it('are each read once, whatever the bounds of the shards are, and no row has a value', async () => {
    const { id, read } = await scanInShards([KEYS[7]!, KEYS[20]!, KEYS[33]!, KEYS[34]!, KEYS[51]!]);
    expect(read).toEqual(KEYS);
    const paths = await many<{ path: string }>(db, 'select path from object_result where scan_id = $1', [id]);
    expect(new Set(paths.map(({ path }) => path)).size).toBe(KEYS.length);
    await expectNoValue();
  });

  it('are recognised as unchanged, also in shards with other bounds', async () => {
    await scanInShards([KEYS[7]!, KEYS[20]!, KEYS[33]!, KEYS[34]!, KEYS[51]!]);
    expect((await scanInShards([])).read).toEqual([]);
    expect((await scanInShards([KEYS[2]!, 'hs'])).read).toEqual([]);
  });

  it('can be suppressed in one object, which alone is read again', async () => {
    const first = await wholeScan(db, sourceOf());
    const shown = displayKey(names.seal(keyOf(KEYS[40]!)));
    const finding = first.findings.find(({ key }) => displayKey(key) === shown)!;
    const match = await matchOf(db, 'default', parseFindingId(finding.handle), { thisObjectOnly: true });
    await suppress(
      db,
      { tenant: 'default', user: 'me' },
      { ...match, reason: 'known', owner: 'me', expiresAt: null },
    );
    const second = await wholeScan(db, sourceOf());
    expect(second.read).toEqual([KEYS[40]]);
    expect(second.findings).toHaveLength(KEYS.length - 1);
    await expectNoValue();
  });

  it('are evaluated under other rules by their real names', async () => {
    const { scan } = await wholeScan(db, sourceOf());
    const only = { ...scan.ruleSet, paths: { include: [KEYS[40]!], exclude: [] } };
    const answer = await whatIf(db, scan, only, undefined, names);
    expect(answer.changed).toBe(KEYS.length - 1);
  });

  it('have a dead letter without the value, and can be retried', async () => {
    const { jobs } = recordingJobs(db);
    const source = sourceOf();
    const id = await plannedScan(db, source);
    const dead = KEYS[40]!;
    const pool = inspectInProcess(source, (object, inspection) =>
      object.key === dead ? notRead('dead', 'crashed detection', false) : inspection(),
    );
    await runUntilFinalizing(id, workerDeps(db, source, jobs, { pool }));
    const [letter] = await listLetters(db, { tenant: 'default', scan: id }, { limit: 10 });
    expect(letter!.path).toBe(displayKey(names.seal(keyOf(dead))));
    await expectNoValue();
    await finalizeScan(db, jobs, id);
    await retryLetters(db, jobs, { tenant: 'default', scan: id });
    await expectNoValue();
    await runUntilFinalizing(id, workerDeps(db, source, jobs));
    expect(await listLetters(db, { tenant: 'default', scan: id, state: 'open' }, { limit: 10 })).toEqual([]);
    const outcomes = await many(db, 'select distinct outcome from object_result where scan_id = $1', [id]);
    expect(outcomes).toEqual([{ outcome: 'scanned' }]);
  });

  it('are replaced by a retry, also where an earlier version has stored the name', async () => {
    const { jobs } = recordingJobs(db);
    const source = sourceOf();
    const id = await plannedScan(db, source);
    const dead = KEYS[40]!;
    const pool = inspectInProcess(source, (object, inspection) =>
      object.key === dead ? notRead('dead', 'crashed detection', false) : inspection(),
    );
    await runUntilFinalizing(id, workerDeps(db, source, jobs, { pool }));
    await finalizeScan(db, jobs, id);
    const name = Buffer.from(dead);
    await db.query(`update object_result set key = $1, path = $2 where outcome = 'dead'`, [name, dead]);
    await db.query('update dead_letter set key = $1, path = $2', [name, dead]);
    await retryLetters(db, jobs, { tenant: 'default', scan: id });
    await runUntilFinalizing(id, workerDeps(db, source, jobs));
    const [letter] = await listLetters(db, { tenant: 'default', scan: id }, { limit: 10 });
    expect(letter!.state).toBe('resolved');
    const outcomes = await many(
      db,
      'select outcome, count(*)::int as objects from object_result where scan_id = $1 group by outcome',
      [id],
    );
    expect(outcomes).toEqual([{ outcome: 'scanned', objects: KEYS.length }]);
  });
});

async function runUntilFinalizing(id: number, tools: ReturnType<typeof workerDeps>): Promise<void> {
  const stop = new AbortController();
  const run = runScan(id, tools, stop.signal);
  await waitUntil('the scan to be finalized', async () => (await readScan(db, id))!.status === 'finalizing');
  stop.abort();
  await run;
}

describe('a shard that is cut at a name with a value', () => {
  it('keeps what is before it; the parts meet at the name, which is not stored', async () => {
    const id = await plannedScan(db, sourceOf());
    const [lease] = await many<{ id: number }>(db, 'select id from range_lease where group_id = $1', [id]);
    const cuts = [keyOf(KEYS[40]!), keyOf(KEYS[10]!)];
    const added = await db.tx((tx) => splitLeaseAt(tx, lease!.id, cuts, names));
    expect(added.map(({ after }) => after)).toEqual([...cuts].sort());
    const again = await db.tx((tx) =>
      splitLeaseAt(tx, added[0]!.id, [keyOf(KEYS[9]!), keyOf(KEYS[41]!)], names),
    );
    expect(again).toEqual([]); // both are outside of it
    const rows = await many<{ after: Buffer; upTo: Buffer | null }>(
      db,
      `select after_key as after, up_to as "upTo" from range_lease where group_id = $1 order by id`,
      [id],
    );
    const open = (bytes: Buffer | null) => bytes && names.open(bytes.toString('latin1') as Key);
    const [low, high] = [...cuts].sort();
    expect(rows.map(({ after, upTo }) => [open(after), open(upTo)])).toEqual([
      ['', low],
      [low, high],
      [high, null],
    ]);
  });
});
