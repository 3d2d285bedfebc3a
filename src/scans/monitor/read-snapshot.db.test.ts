import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movableClock } from '../../../test/support/clock.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { keyFromBytes, keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import type { Database } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import {
  addLeases,
  checkpointLease,
  completeLease,
  failLease,
  releaseWithBackoff,
} from '../../engine/leases/lease-store.ts';
import { splitLease } from '../../engine/leases/split-store.ts';
import { pauseScan } from '../lifecycle/control-scan.ts';
import { positionKey } from '../segments/segment.ts';
import { addShards } from '../shard/shard-store.ts';
import { readSnapshot } from './read-snapshot.ts';
import { endScanAs, newWorker, runningScan } from './running-scan.fixture.ts';
import { listShardSummaries, SHARD_STATES } from './shard-summaries.ts';
import type { Snapshot } from './snapshot.ts';
import { scanToWatch } from './snapshot-store.ts';
import { listWorkerSummaries } from './worker-summaries.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
  await movableClock(db);
});
afterAll(() => db.close());

const LONG = 60_000;
const [b, m, s] = [keyOf('b'), keyOf('m'), keyOf('s')];
const QUARTERS = [
  { after: FULL_RANGE.after, upTo: b },
  { after: b, upTo: m },
  { after: m, upTo: s },
  { after: s, upTo: null },
];

async function snapshotOf(scan: number, options = {}): Promise<Snapshot> {
  return (await readSnapshot(db, scan, options))!;
}

async function claim(scan: number, holder: string): Promise<HeldLease> {
  return (await claimLease(db, { kind: 'shard', groupId: scan, holder, ttlMs: LONG }))!;
}

async function lose(held: HeldLease): Promise<void> {
  await db.query(`update range_lease set expires_at = clock() - interval '1 second' where id = $1`, [
    held.id,
  ]);
}

async function ledger(scan: number, lease: number, outcome: string, objects: number, bytes: number) {
  await db.query(
    `insert into ledger (scan_id, tenant, lease_id, outcome, objects, bytes) values ($1, 'default', $2, $3, $4, $5)`,
    [scan, lease, outcome, objects, bytes],
  );
}

async function deadLetter(
  scan: number,
  signature: string,
  change: { state?: string; minutes?: number } = {},
) {
  await db.query(
    `insert into dead_letter (tenant, scan_id, kind, path, signature, reason, state, created_at)
     values ('default', $1, 'object', 'x', $2, $2, $3, clock() - $4 * interval '1 minute')`,
    [scan, signature, change.state ?? 'open', change.minutes ?? 0],
  );
}

describe('the shards of a snapshot', () => {
  it('add up to the total while they are claimed, completed, failed, released and lost', async () => {
    const scan = await runningScan(db, QUARTERS);
    const worker = await newWorker(db);
    expect((await snapshotOf(scan)).shards).toMatchObject({ waiting: 4, held: 0, done: 0, retries: 0 });

    const [first, second, third, fourth] = [
      await claim(scan, worker),
      await claim(scan, worker),
      await claim(scan, worker),
      await claim(scan, worker),
    ];
    await db.tx((tx) => completeLease(tx, first));
    await db.tx((tx) => failLease(tx, second, 'broken'));
    await releaseWithBackoff(db, third, 'away', LONG);
    await lose(fourth);
    const { shards } = await snapshotOf(scan);
    expect(shards).toMatchObject({ waiting: 1, delayed: 1, held: 1, expired: 1, done: 1, failed: 1 });
    expect(shards.waiting + shards.held + shards.done + shards.failed + shards.cancelled).toBe(4);
  });

  it('count a claim after a loss as a retry, and not as lost any more', async () => {
    const scan = await runningScan(db);
    await lose(await claim(scan, await newWorker(db)));
    await claim(scan, await newWorker(db));
    expect((await snapshotOf(scan)).shards).toMatchObject({ held: 1, expired: 0, retries: 1 });
  });

  it('count what was split off', async () => {
    const scan = await runningScan(db);
    const held = await claim(scan, await newWorker(db));
    await db.tx(async (tx) => {
      const added = (await splitLease(tx, held.id, m))!;
      await addShards(tx, scan, [added]);
    });
    expect((await snapshotOf(scan)).shards).toMatchObject({ waiting: 1, held: 1, splits: 1 });
  });

  it('are those of this scan only', async () => {
    const scan = await runningScan(db, QUARTERS);
    await runningScan(db, QUARTERS);
    expect((await snapshotOf(scan)).shards.waiting).toBe(4);
  });
});

describe('what is done', () => {
  it('is summed by outcome over all shards', async () => {
    const scan = await runningScan(db);
    await ledger(scan, 1, 'scanned', 10, 1000);
    await ledger(scan, 2, 'scanned', 5, 500);
    await ledger(scan, 2, 'dead', 1, 70);
    const { done } = await snapshotOf(scan);
    expect(done).toMatchObject({ objects: 16, bytes: 1570 });
    expect(done.outcomes).toMatchObject({
      scanned: { objects: 15, bytes: 1500 },
      dead: { objects: 1, bytes: 70 },
      skipped: { objects: 0, bytes: 0 },
    });
  });

  it('is compared with the last completed scan of the source', async () => {
    const sea = { source: 'sim:tide' };
    const earlier = await runningScan(db, [], sea);
    await ledger(earlier, 1, 'scanned', 40, 4000);
    await endScanAs(db, earlier, 'completed');
    const broken = await runningScan(db, [], sea);
    await ledger(broken, 1, 'scanned', 3, 300);
    await endScanAs(db, broken, 'incomplete');
    const scan = await runningScan(db, [], sea);
    expect((await snapshotOf(scan)).estimate).toMatchObject({
      from: 'earlier scan',
      objects: { low: 40, high: 40 },
      bytes: { likely: 4000 },
    });
    expect((await snapshotOf(earlier)).estimate).toBeNull();
  });
});

describe('dead letters', () => {
  it('are counted by signature, the resolved ones not, the fresh ones apart', async () => {
    const scan = await runningScan(db);
    for (const signature of ['timeout', 'denied', 'timeout']) await deadLetter(scan, signature);
    await deadLetter(scan, 'denied', { minutes: 5 });
    await deadLetter(scan, 'denied', { minutes: 5, state: 'retrying' });
    await deadLetter(scan, 'gone', { state: 'resolved' });
    expect((await snapshotOf(scan)).deadLetters).toEqual({
      total: 5,
      lastMinute: 3,
      signatures: [
        { signature: 'denied', count: 3 },
        { signature: 'timeout', count: 2 },
      ],
    });
  });

  it('of one cause are one group, whichever version wrote them', async () => {
    const scan = await runningScan(db);
    for (const signature of ['detection-stalled', 'detection made no progress', 'denied'])
      await deadLetter(scan, signature);
    expect((await snapshotOf(scan)).deadLetters.signatures).toEqual([
      { signature: 'detection stalled', count: 2 },
      { signature: 'denied', count: 1 },
    ]);
  });

  it('beyond the listed signatures are still in the sum', async () => {
    const scan = await runningScan(db);
    for (let n = 0; n < 13; n++) await deadLetter(scan, `cause ${n}`);
    const { total, signatures } = (await snapshotOf(scan)).deadLetters;
    expect({ total, listed: signatures.length }).toEqual({ total: 13, listed: 10 });
  });
});

describe('workers', () => {
  beforeAll(() => db.query('delete from worker'));

  it('show what they hold of this scan, with keys for people', async () => {
    const scan = await runningScan(db, [
      { after: FULL_RANGE.after, upTo: keyFromBytes(Buffer.of(0x61, 0xff)) },
    ]);
    const worker = await newWorker(db, { host: 'pier/4af/pid:[1]' });
    const held = await claim(scan, worker);
    await db.tx((tx) =>
      checkpointLease(tx, held, { cursor: keyOf('a\n'), reserved: keyOf('a\n'), ttlMs: LONG }),
    );
    const { list } = (await snapshotOf(scan)).workers;
    expect(list.find(({ id }) => id === worker)).toMatchObject({
      host: 'pier',
      pid: 41,
      holding: 1,
      holds: [{ shard: held.id, kind: 'range', cursor: 'a\\n', upTo: 'a\\xff' }],
    });
  });

  it('that read a part of a huge object name the object and the byte', async () => {
    const scan = await runningScan(db, []);
    const { rows } = await db.query<{ id: number }>(
      `insert into segmented_object (scan_id, tenant, key, size, version_tag, inventory_key, segments_left)
       values ($1, 'default', 'dumps/all.sql', 999, '', '', 2) returning id`,
      [scan],
    );
    const object = rows[0]!.id;
    const part = { after: positionKey(500, object), upTo: positionKey(999, object) };
    await db.tx(async (tx) => addShards(tx, scan, await addLeases(tx, scan, [part]), 'part'));
    const worker = await newWorker(db);
    await claim(scan, worker);
    const shown = { kind: 'part', cursor: 'dumps/all.sql, byte 500', upTo: 'byte 999' };
    const { stillest, workers } = await snapshotOf(scan);
    expect(stillest).toMatchObject([shown]);
    expect(workers.list.find(({ id }) => id === worker)!.holds).toMatchObject([shown]);
    expect((await listShardSummaries(db, scan, ['held'], 1)).shards).toMatchObject([shown]);
  });

  it('are counted beyond those that are listed; the stale and the holding come first', async () => {
    await db.query('delete from worker');
    const scan = await runningScan(db);
    for (let n = 0; n < 4; n++) await newWorker(db);
    const holder = await newWorker(db, { host: 'zebra' });
    const stale = await newWorker(db, { host: 'zebra', seenSeconds: 90 });
    await claim(scan, holder);
    const { workers } = await snapshotOf(scan, { workers: 2 });
    expect(workers).toMatchObject({ total: 6, ready: 5, holding: 1, stale: 1, draining: 0 });
    expect(workers.list.map(({ id }) => id)).toEqual([stale, holder]);
  });

  it('without a heartbeat for hours are omitted, unless they still hold a shard', async () => {
    await db.query('delete from worker');
    const scan = await runningScan(db);
    await newWorker(db, { seenSeconds: 9000 });
    const holder = await newWorker(db, { seenSeconds: 9000 });
    await claim(scan, holder);
    const { workers } = await snapshotOf(scan);
    expect(workers.list.map(({ id }) => id)).toEqual([holder]);
    expect(workers.total).toBe(1);
  });

  it('of the registry are all listed, with the scans they hold and the leader', async () => {
    await db.query('delete from worker');
    const scan = await runningScan(db, QUARTERS);
    const foreign = await runningScan(db, QUARTERS, { tenant: 'other' });
    const worker = await newWorker(db, { seenSeconds: 9000 });
    await claim(scan, worker);
    await claim(foreign, worker);
    await claimLease(db, { kind: 'leader', groupId: null, holder: worker, ttlMs: LONG });
    expect(await listWorkerSummaries(db, 'default', LONG)).toMatchObject([
      { id: worker, host: 'pier', stale: true, leads: true, holding: 2, scans: [scan] },
    ]);
  });
});

describe('a snapshot', () => {
  it('names the leader and its term, also after the leader has left', async () => {
    const scan = await runningScan(db);
    const worker = await newWorker(db, { host: 'mole/x' });
    await db.query(`update range_lease set state = 'waiting', holder = null where tenant = ''`);
    const held = await claimLease(db, { kind: 'leader', groupId: null, holder: worker, ttlMs: LONG });
    const term = held!.fencingToken;
    expect((await snapshotOf(scan)).leader).toMatchObject({ worker, host: 'mole', pid: 41, term });
    await lose(held!);
    expect((await snapshotOf(scan)).leader).toMatchObject({ worker: null, host: null, term });
  });

  it('has the stillest of the held shards', async () => {
    const scan = await runningScan(db, QUARTERS);
    const worker = await newWorker(db);
    const [first, second] = [await claim(scan, worker), await claim(scan, worker)];
    await db.query(
      `update range_lease set claimed_at = clock() - interval '10 minutes', cursor_moved_at = clock() - interval '7 minutes' where id = $1`,
      [second.id],
    );
    const { stillest } = await snapshotOf(scan);
    expect(stillest.map(({ shard }) => shard)).toEqual([second.id, first.id]);
    expect(stillest[0]!.stillSeconds).toBe(420);
    expect(stillest[0]!.heldSeconds).toBe(600);
  });

  it('contains the usage of a budget, and the exhausted limit', async () => {
    const scan = await runningScan(db);
    expect((await snapshotOf(scan)).budget).toBeNull();
    await db.query(
      `insert into lease_group_budget (group_id, tenant, max_requests, max_cost, requests, cost, currency, exhausted_limit)
       values ($1, 'default', 1000, 40000000000, 250, 41500000000, '€', 'cost')`,
      [scan],
    );
    expect((await snapshotOf(scan)).budget).toEqual([
      { what: 'requests', spent: 250, limit: 1000, currency: '€', met: false },
      { what: 'cost', spent: 41.5, limit: 40, currency: '€', met: true },
    ]);
  });

  it('counts connections, and is plain JSON', async () => {
    const snapshot = await snapshotOf(await runningScan(db));
    expect(snapshot.connections.used).toBeGreaterThan(0);
    expect(snapshot.connections.most).toBeGreaterThan(snapshot.connections.used);
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
  });

  it('contains the most recent events, the latest last', async () => {
    const scan = await runningScan(db);
    expect((await snapshotOf(scan)).events).toEqual([]);
    for (const _ of [1, 2, 3]) {
      await pauseScan(db, scan, 'paused', 'lunch');
      await pauseScan(db, scan, 'interrupted');
    }
    const { events } = await snapshotOf(scan);
    expect(events.map(({ version, type }) => `${version} ${type}`)).toEqual([
      '2 interrupted',
      '3 paused',
      '4 interrupted',
      '5 paused',
      '6 interrupted',
    ]);
    expect(events[1]!.data).toEqual({ why: 'lunch' });
    expect(events[0]!.secondsAgo).toBeGreaterThanOrEqual(events[4]!.secondsAgo);
  });

  it('of a scan that does not exist is null', async () => {
    expect(await readSnapshot(db, 987_654)).toBeNull();
  });
});

describe('the scan to watch', () => {
  it('is the newest that has not ended, or else the newest, of the tenant', async () => {
    const tenant = 'watcher';
    expect(await scanToWatch(db, tenant)).toBeNull();
    const [first, second, third] = [
      await runningScan(db, [], { tenant }),
      await runningScan(db, [], { tenant }),
      await runningScan(db, [], { tenant }),
    ];
    await runningScan(db, [], { tenant: 'another' });
    await endScanAs(db, third, 'completed');
    expect(await scanToWatch(db, tenant)).toBe(second);
    for (const scan of [first, second]) await endScanAs(db, scan, 'failed');
    expect(await scanToWatch(db, tenant)).toBe(third);
  });
});

describe('the list of shards', () => {
  it('starts with failed and held shards, and can be filtered by state', async () => {
    const scan = await runningScan(db, QUARTERS);
    const worker = await newWorker(db, { host: 'quay/b' });
    const [first, second] = [await claim(scan, worker), await claim(scan, worker)];
    await db.tx((tx) => completeLease(tx, first));
    const third = await claim(scan, worker);
    await db.tx((tx) => failLease(tx, third, 'unreadable'));
    const { shards, total } = await listShardSummaries(db, scan, SHARD_STATES, 3);
    expect(total).toBe(4);
    expect(shards).toMatchObject([
      { shard: third.id, state: 'failed', error: 'unreadable', after: 'm', upTo: 's', claims: 1 },
      { shard: second.id, state: 'held', worker, host: 'quay', pid: 41 },
      { state: 'waiting', after: 's', upTo: null },
    ]);
    expect((await listShardSummaries(db, scan, ['done'], 9)).shards).toMatchObject([{ shard: first.id }]);
  });
});
