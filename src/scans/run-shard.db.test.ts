import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { inspectInProcess, plannedScan, recordingJobs, shardDeps } from '../../test/support/scan.ts';
import { SeineError } from '../base/errors.ts';
import { keyOf } from '../base/key.ts';
import { type Database, many, type Tx } from '../db/database.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { claimLease } from '../engine/leases/claim-store.ts';
import type { HeldLease } from '../engine/leases/lease.ts';
import { splitLease } from '../engine/leases/split-store.ts';
import { createMemorySource, type MemorySource } from '../sources/memory/memory.ts';
import type { SourceObject } from '../sources/source.ts';
import { finalizeScan } from './lifecycle/finalize-scan.ts';
import { readScan } from './lifecycle/scan-store.ts';
import { SHARD } from './lifecycle/start-scan.ts';
import { findingsDigest, findingsOf } from './results/finding-store.ts';
import { readLedger } from './results/report-store.ts';
import { runShard } from './run-shard.ts';
import { addShards, coverageSums } from './shard/shard-store.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

const never = new AbortController().signal;
let sources = 0;

/** A folder of people; every third file contains a person's number. */
function people(count: number): MemorySource {
  const contents = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `team/${String(i).padStart(5, '0')}.txt`,
      i % 3 === 0 ? `SSN: 219-09-${String(1000 + i)}\nmail p${i}@example.com` : `nothing to see in ${i}`,
    ]),
  );
  return createMemorySource(contents, { id: `memory:${++sources}`, batch: 50 });
}

async function claim(scan: number): Promise<HeldLease> {
  return (await claimLease(db, { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: 60_000 }))!;
}

async function expire(scan: number): Promise<void> {
  await db.query(
    `update range_lease set expires_at = now() - interval '1 second' where group_id = $1 and state = 'held'`,
    [scan],
  );
}

/**
 * Simulates a process that crashes when it gets a certain object: from then on nothing is answered and
 * nothing is written.
 */
async function runUntilDeath(
  held: HeldLease,
  source: MemorySource,
  jobs: Jobs,
  deadly: (object: SourceObject) => boolean,
) {
  let die = () => {};
  const death = new Promise<'died'>((resolve) => {
    die = () => resolve('died');
  });
  let dead = false;
  /** Requests of the crashed process are never answered: otherwise it would remove its suspects. */
  const unlessDead = <T>(ask: () => Promise<T>): Promise<T> => (dead ? new Promise(() => {}) : ask());
  const mortalDb: Database = {
    ...db,
    query: (...args) => unlessDead(() => db.query(...args)),
    tx: (work) => unlessDead(() => db.tx(work)),
  };
  const pool = inspectInProcess(source);
  const mortal: typeof pool = {
    ...pool,
    submit(object, done) {
      dead ||= deadly(object);
      if (dead) die();
      else pool.submit(object, (inspection) => dead || done(inspection));
    },
  };
  return Promise.race([runShard(held, shardDeps(mortalDb, source, jobs, { queue: mortal }), never), death]);
}

/** Expires the leases of the crashed process. */
async function expireLeases(scan: number): Promise<void> {
  await db.query('update range_lease set fencing_token = fencing_token + 1 where group_id = $1', [scan]);
  await expire(scan);
}

async function outcomes(scan: number): Promise<Record<string, number>> {
  return Object.fromEntries(
    (await readLedger(db, scan)).map((line) => [`${line.outcome} ${line.reason ?? ''}`.trim(), line.objects]),
  );
}

async function digest(scan: number): Promise<string> {
  return findingsDigest(db, (await readScan(db, scan))!);
}

describe('a shard', () => {
  it('is run to its end: every object in the coverage, findings once, one finalize', async () => {
    const source = people(300);
    const scan = await plannedScan(db, source);
    const { jobs, sent } = recordingJobs(db);
    expect(await runShard(await claim(scan), shardDeps(db, source, jobs), never)).toBe('completed');
    expect(await outcomes(scan)).toEqual({ scanned: 300 });
    expect(await coverageSums(db, scan)).toEqual({ listed: 300, ledgered: 300, dead: 0 });
    expect(await sent()).toEqual([{ name: 'finalize', data: { scan } }]);
    await finalizeScan(db, jobs, scan);
    expect((await readScan(db, scan))!.status).toBe('completed');
  });

  it('claimed after a crash continues at the cursor, and the findings equal those of an uninterrupted run', async () => {
    const source = people(900);
    const [calm, rough] = [await plannedScan(db, source), await plannedScan(db, source)];
    const { jobs } = recordingJobs(db);
    await runShard(await claim(calm), shardDeps(db, source, jobs), never);

    const first = await claim(rough);
    let seen = 0;
    expect(await runUntilDeath(first, source, jobs, () => ++seen > 500)).toBe('died');
    await expireLeases(rough);
    const second = await claim(rough);
    expect(second.cursor > first.cursor).toBe(true);
    expect(await runShard(second, shardDeps(db, source, jobs), never)).toBe('completed');
    expect(await outcomes(rough)).toEqual({ scanned: 900 });
    expect(await digest(rough)).toBe(await digest(calm));
  });

  it('whose lease was taken stops and writes nothing more', async () => {
    const source = people(600);
    const scan = await plannedScan(db, source);
    const { jobs } = recordingJobs(db);
    const slow = await claim(scan);
    await expire(scan);
    const taker = await claim(scan);
    expect(await runShard(taker, shardDeps(db, source, jobs), never)).toBe('completed');
    expect(await runShard(slow, shardDeps(db, source, jobs), never)).toBe('lost');
    expect(await outcomes(scan)).toEqual({ scanned: 600 });
  });

  it('interrupted gives its lease back at the exact object', async () => {
    const source = people(900);
    const scan = await plannedScan(db, source);
    const { jobs } = recordingJobs(db);
    const stop = new AbortController();
    let seen = 0;
    const queue = inspectInProcess(source, (_, inspect) => {
      if (++seen === 300) stop.abort();
      return inspect();
    });
    expect(await runShard(await claim(scan), shardDeps(db, source, jobs, { queue }), stop.signal)).toBe(
      'released',
    );
    const before = (await coverageSums(db, scan)).ledgered;
    expect(before).toBeGreaterThanOrEqual(300);
    expect(await runShard(await claim(scan), shardDeps(db, source, jobs), never)).toBe('completed');
    expect(await outcomes(scan)).toEqual({ scanned: 900 });
    expect([...source.reads.values()].every((times) => times === 1)).toBe(true);
  });

  it('writes an object whose reason contains a zero character', async () => {
    const source = people(3);
    const scan = await plannedScan(db, source);
    const { jobs } = recordingJobs(db);
    const queue = inspectInProcess(source, (object, inspect) => ({
      ...inspect(),
      ...(object.key.includes('00001') && {
        outcome: 'dead' as const,
        reason: 'the parser said \0',
        evidence: { error: 'at \0', attempts: 1 },
      }),
    }));
    const tools = shardDeps(db, source, jobs, { queue });
    expect(await runShard(await claim(scan), tools, never)).toBe('completed');
    expect(await outcomes(scan)).toEqual({ scanned: 2, 'dead the parser said ␀': 1 });
  });

  it('split while it runs keeps the left part and leaves the right one to others', async () => {
    const source = people(1200);
    const scan = await plannedScan(db, source);
    const { jobs } = recordingJobs(db);
    const held = await claim(scan);
    const mid = keyOf('team/00900.txt');
    let seen = 0;
    let splitting = Promise.resolve();
    const split = async (tx: Tx) => {
      const added = await splitLease(tx, held.id, mid);
      await addShards(tx, scan, [added!]);
    };
    const here = inspectInProcess(source);
    const queue: typeof here = {
      ...here,
      submit(object, done) {
        if (++seen === 10) splitting = db.tx(split);
        void splitting.then(() => here.submit(object, done)); // otherwise it might end before it is split
      },
    };
    expect(await runShard(held, shardDeps(db, source, jobs, { queue }), never)).toBe('completed');
    expect((await coverageSums(db, scan)).ledgered).toBe(901);
    expect((await readScan(db, scan))!.status).toBe('running');
    expect(await runShard(await claim(scan), shardDeps(db, source, jobs), never)).toBe('completed');
    expect(await outcomes(scan)).toEqual({ scanned: 1200 });
    expect((await readScan(db, scan))!.status).toBe('finalizing');
  });
});

describe('objects that cannot be read', () => {
  it('are in the coverage with their reason and do not stop the scan', async () => {
    const source = people(10);
    source.failRead(keyOf('team/00001.txt'), new SeineError('permission', 'no'));
    source.failRead(keyOf('team/00002.txt'), new SeineError('not-found', 'gone'));
    source.hide(keyOf('team/secret/'), new SeineError('permission', 'no'));
    source.put(keyOf('pipe'), '', { unreadable: 'not a regular file' });
    const scan = await plannedScan(db, source);
    await runShard(await claim(scan), shardDeps(db, source, recordingJobs(db).jobs), never);
    expect(await outcomes(scan)).toEqual({
      scanned: 8,
      'skipped no permission': 2,
      'skipped deleted before it was read': 1,
      'skipped not a regular file': 1,
    });
  });

  it('and crash the process are isolated and finally dead, the others scanned', async () => {
    const source = people(200);
    const poison = keyOf('team/00100.txt');
    const scan = await plannedScan(db, source);
    const { jobs } = recordingJobs(db);
    let crashes = 0;
    for (;;) {
      const end = await runUntilDeath(await claim(scan), source, jobs, (object) => object.key === poison);
      if (end === 'completed') break;
      expect(++crashes).toBeLessThan(10);
      await expireLeases(scan);
    }
    expect(await outcomes(scan)).toEqual({ scanned: 199, 'dead crashed the worker repeatedly': 1 });
    expect(await many(db, 'select 1 from crash_suspect where scan_id = $1', [scan])).toEqual([]);
    await finalizeScan(db, jobs, scan);
    expect(await readScan(db, scan)).toMatchObject({
      status: 'incomplete',
      error: '1 object could not be read',
    });
  });
});

describe('scanning again', () => {
  it('reads nothing that is unchanged and shows the same findings', async () => {
    const source = people(300);
    source.put(keyOf('tool'), Buffer.from('\x7fELF', 'latin1'));
    const { jobs } = recordingJobs(db);
    const first = await plannedScan(db, source);
    await runShard(await claim(first), shardDeps(db, source, jobs), never);
    await finalizeScan(db, jobs, first);
    const reads = new Map(source.reads);

    const second = await plannedScan(db, source);
    await runShard(await claim(second), shardDeps(db, source, jobs, { base: first }), never);
    expect(source.reads).toEqual(reads);
    expect(await outcomes(second)).toEqual({ unchanged: 300, 'skipped unsupported format: ELF binary': 1 });
    expect(await digest(second)).toBe(await digest(first));
  });

  it('reads changed and new objects, and no removed ones', async () => {
    const source = people(300);
    const { jobs } = recordingJobs(db);
    const first = await plannedScan(db, source);
    await runShard(await claim(first), shardDeps(db, source, jobs), never);
    await finalizeScan(db, jobs, first);
    source.put(keyOf('team/00004.txt'), 'now with SSN: 219-09-4321');
    source.put(keyOf('team/00004.txt.bak'), 'old');
    source.put(keyOf('a/new.txt'), 'SSN: 219-09-7654');
    source.remove(keyOf('team/00003.txt'));

    const second = await plannedScan(db, source);
    await runShard(await claim(second), shardDeps(db, source, jobs, { base: first }), never);
    expect(await outcomes(second)).toEqual({ scanned: 3, unchanged: 298 });
    const keys = new Set<string>();
    for await (const { finding } of findingsOf(db, (await readScan(db, second))!)) keys.add(finding.key);
    expect(keys.has('team/00003.txt')).toBe(false);
    expect(keys.has('team/00004.txt')).toBe(true);
    expect(keys.has('a/new.txt')).toBe(true);
  });

  it('tries again what could not be read', async () => {
    const source = people(5);
    source.failRead(keyOf('team/00001.txt'), new SeineError('permission', 'no'), 1);
    const { jobs } = recordingJobs(db);
    const first = await plannedScan(db, source);
    await runShard(await claim(first), shardDeps(db, source, jobs), never);
    await finalizeScan(db, jobs, first);
    const second = await plannedScan(db, source);
    await runShard(await claim(second), shardDeps(db, source, jobs, { base: first }), never);
    expect(await outcomes(second)).toEqual({ scanned: 1, unchanged: 4 });
  });

  it('keeps sixteen bytes an object', async () => {
    const source = people(1000);
    const scan = await plannedScan(db, source);
    await runShard(await claim(scan), shardDeps(db, source, recordingJobs(db).jobs), never);
    const [row] = await many<{ bytes: number }>(
      db,
      'select sum(length(entries))::bigint as bytes from inventory_block where scan_id = $1',
      [scan],
    );
    expect(row).toEqual({ bytes: 16_000 });
  });
});
