import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan } from '../../../test/support/scan.ts';
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import { type Database, many, one, type Tx } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import { type HeldLease, remainingRange } from '../../engine/leases/lease.ts';
import { readLeaseGroup } from '../../engine/leases/lease-group-store.ts';
import { checkpointLease, completeLease } from '../../engine/leases/lease-store.ts';
import { splittableLeases } from '../../engine/leases/split-store.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { createMemorySource, type MemorySource } from '../../sources/memory/memory.ts';
import type { SourceObject } from '../../sources/source.ts';
import { InventoryHash } from '../inventory/inventory.ts';
import { readScan } from '../lifecycle/scan-store.ts';
import { inventoryKey, SHARD } from '../lifecycle/start-scan.ts';
import { findingsOf } from '../results/finding-store.ts';
import { type Inspection, notRead } from '../results/inspection.ts';
import { reasonText } from '../results/reason-code.ts';
import { readLedger } from '../results/report-store.ts';
import { addSegments } from './add-segments.ts';
import { objectScoringFor } from './assemble-segments.ts';
import { inspectWhole, stepInspector } from './by-segments.fixture.ts';
import { endSegment, failSegment } from './end-segment.ts';
import { openSegment } from './open-segment.ts';
import { lateBlockKey, type SegmentChunk } from './segment.ts';
import type { SegmentBatch } from './segment-batch.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(12);
});
afterAll(() => db.close());

const never = new AbortController().signal;
const maxFindingsPerType = 20;
const cutting = { chunkBytes: 30_000, minSegmentBytes: 90_000, maxSegments: 256 };
const judging = objectScoringFor(DEFAULT_RULES, maxFindingsPerType);
const hash = new InventoryHash(Buffer.alloc(32, 7));
const INVENTORY_KEY = inventoryKey(DEFAULT_RULES, 100);
let sources = 0;

/** A table of people; values are dense at its start and sparse later. */
const table = `id,email,ssn\n${Array.from({ length: 14_000 }, (_, n) =>
  n < 300 || n % 500 === 0
    ? `${n},p${n}@acme.example,536-22-${1000 + (n % 9000)}\n`
    : `${n},nobody of that name,\n`,
).join('')}`;

interface Huge {
  readonly source: MemorySource;
  readonly object: SourceObject;
  readonly scan: number;
}

/** A scan whose only shard has reached a huge object. */
async function met(content = table, name = 'people.csv'): Promise<Huge> {
  const source = createMemorySource({ [name]: content }, { id: `memory:${++sources}` });
  const object = (await source.find(keyOf(name), never)) as SourceObject;
  const scan = await plannedScan(db, source, []);
  await db.tx((tx) => addSegments(tx, scan, [object], INVENTORY_KEY, cutting));
  return { source, object, scan };
}

async function claim({ scan }: Huge): Promise<HeldLease | null> {
  return claimLease(db, { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: 60_000 });
}

type Look = (step: SegmentChunk, inspect: () => Promise<Inspection>) => Promise<Inspection>;

/** The leases that remain; null when it was lost meanwhile. */
type Ran = number | null | 'lost';

/** What the loop of a shard does with a segment: every chunk is checkpointed, the last one ends it. */
async function run(huge: Huge, held: HeldLease, look: Look = (_, inspect) => inspect()): Promise<Ran> {
  const part = await openSegment(db, held, huge.source, judging, cutting);
  if (part === null) return 'lost';
  const inspector = stepInspector(huge.source, maxFindingsPerType);
  let [now, tally]: [HeldLease, SegmentBatch] = [held, part.batch];
  for await (const steps of part.source.list(remainingRange(held), never))
    for (const step of steps as SegmentChunk[]) {
      tally.add(step, await look(step, () => inspector.inspect(step, never, () => {})));
      const moved = await db.tx((tx) => checkpoint(tx, now, step, tally));
      if (!moved) return null;
      now = moved;
      tally = tally.next();
    }
  return db.tx(async (tx) => {
    await endSegment(tx, now, part, hash, INVENTORY_KEY);
    return completeLease(tx, now);
  });
}

async function checkpoint(
  tx: Tx,
  held: HeldLease,
  step: SegmentChunk,
  tally: SegmentBatch,
): Promise<HeldLease | null> {
  const to = { cursor: step.key, reserved: held.upTo!, ttlMs: 60_000 };
  const moved = await checkpointLease(tx, held, to);
  if (moved && !moved.repeated) await tally.write(tx, held, INVENTORY_KEY);
  return moved?.held ?? null;
}

/** Runs one segment after the other; returns the leases that remained after each. */
async function runAll(huge: Huge, look?: Look): Promise<Ran[]> {
  const remained: Ran[] = [];
  for (let held = await claim(huge); held; held = await claim(huge))
    remained.push(await run(huge, held, look));
  return remained;
}

async function expectLikeWhole({ source, object, scan }: Huge): Promise<void> {
  const whole = await inspectWhole(source, object, maxFindingsPerType);
  const found = [];
  for await (const { finding } of findingsOf(db, (await readScan(db, scan))!)) {
    const { scan: _, source: __, key: ___, tier: ____, handle: _____, ...value } = finding;
    found.push(value);
  }
  expect(found).toEqual(whole.findings);
  const row = await one<{ points: number }>(
    db,
    'select outcome, score, points, tier, counts, columns from object_result where scan_id = $1',
    [scan],
  );
  const { outcome, score, points, tier, counts, columns = null } = whole;
  // Points are stored as four-byte floats.
  expect({ ...row, points: Math.fround(row.points) }).toEqual({
    outcome,
    score,
    points: Math.fround(points!),
    tier,
    counts,
    columns,
  });
  await expectNothingStaged(scan);
}

async function expectNothingStaged(scan: number): Promise<void> {
  expect(await many(db, 'select 1 from segmented_object where scan_id = $1', [scan])).toEqual([]);
  expect(await many(db, 'select 1 from segment_result')).toEqual([]);
}

async function ledger(scan: number) {
  const lines = await readLedger(db, scan);
  return lines.map(({ outcome, reason, objects, bytes }) => [outcome, reason, objects, bytes]);
}

async function blocks(scan: number): Promise<Buffer[]> {
  const rows = await many<{ up_to: Buffer }>(db, 'select up_to from inventory_block where scan_id = $1', [
    scan,
  ]);
  return rows.map((row) => row.up_to);
}

describe('a huge object', () => {
  it('becomes parts that can be claimed and not be split', async () => {
    const huge = await met();
    expect((await readLeaseGroup(db, huge.scan))!.remaining).toBe(4);
    const held = (await claim(huge))!;
    await run(huge, held, async (_, inspect) => {
      expect(await splittableLeases(db, huge.scan)).toEqual([]);
      return inspect();
    });
    await runAll(huge);
  });

  it('is written once, like one that was read whole, when its last part ends', async () => {
    const huge = await met();
    expect(await runAll(huge)).toEqual([3, 2, 1, 0]);
    await expectLikeWhole(huge);
    expect(await ledger(huge.scan)).toEqual([['scanned', null, 1, table.length]]);
    const read = await one<{ sum: number }>(
      db,
      'select sum(bytes_read)::bigint, sum(listed) as listed from shard where scan_id = $1',
      [huge.scan],
    );
    expect(read).toEqual({ sum: table.length, listed: 0 });
    expect(await blocks(huge.scan)).toEqual([Buffer.from(lateBlockKey(huge.object.key), 'latin1')]);
  });

  it('is the same when its segments are read concurrently, in any order, and end together', async () => {
    const huge = await met();
    const held = [await claim(huge), await claim(huge), await claim(huge), await claim(huge)];
    const remained = await Promise.all(held.toReversed().map((one) => run(huge, one!)));
    expect(remained.toSorted()).toEqual([0, 1, 2, 3]);
    await expectLikeWhole(huge);
    expect(await ledger(huge.scan)).toEqual([['scanned', null, 1, table.length]]);
  });

  it('is assembled once when several processes race to end the last segments', async () => {
    for (let round = 0; round < 5; round++) {
      const huge = await met();
      // All chunks are staged; then all segments end concurrently.
      const ends: (() => Promise<unknown>)[] = [];
      for (let held = await claim(huge); held; held = await claim(huge))
        ends.push(await stageAll(huge, held));
      await Promise.all(ends.map((end) => end()));
      expect(await ledger(huge.scan)).toEqual([['scanned', null, 1, table.length]]);
      await expectLikeWhole(huge);
    }
  });

  it('without a finding leaves no row, but an inventory entry', async () => {
    const huge = await met('nothing to see here\n'.repeat(15_000), 'dull.log');
    await runAll(huge);
    expect(await ledger(huge.scan)).toEqual([['scanned', null, 1, huge.object.size]]);
    expect(await many(db, 'select 1 from object_result where scan_id = $1', [huge.scan])).toEqual([]);
    expect(await blocks(huge.scan)).toHaveLength(1);
  });

  it('that was read under two sets of rules is not in the inventory', async () => {
    const huge = await met();
    await runAll(huge, async ({ step }, inspect) => {
      if (step.from === 90_000)
        await db.query(`update scan set inventory_key = 'other' where id = $1`, [huge.scan]);
      return inspect();
    });
    expect(await ledger(huge.scan)).toEqual([['scanned', null, 1, table.length]]);
    expect(await blocks(huge.scan)).toEqual([]);
  });

  it('stages no more findings of a part than are kept of an object', async () => {
    const huge = await met();
    let most = 0;
    await runAll(huge, async (_, inspect) => {
      const rows = await many<{ staged: number }>(
        db,
        `select sum(json_array_length(findings))::int as staged from segment_result group by lease_id`,
      );
      most = Math.max(most, ...rows.map((row) => row.staged));
      return inspect();
    });
    expect(most).toBe(2 * maxFindingsPerType); // two types
  });

  it('may hold names that are no valid text', async () => {
    const row = '{"\\ud800 mail":"p@acme.example","a\\u0000b":"q@acme.example","note":"some words more"}\n';
    const huge = await met(row.repeat(4000), 'odd.ndjson');
    await runAll(huge);
    const fields = await many<{ field: string }>(
      db,
      'select distinct field from finding join object_result as object on object.id = object_id where scan_id = $1 order by field',
      [huge.scan],
    );
    expect(fields.map(({ field }) => field).toSorted()).toEqual(['*', '\ufffd mail']);
    await expectNothingStaged(huge.scan);
  });
});

/** Stages everything; returns the final step. */
async function stageAll(huge: Huge, held: HeldLease): Promise<() => Promise<unknown>> {
  const part = (await openSegment(db, held, huge.source, judging, cutting))!;
  const { source, batch } = part;
  const inspector = stepInspector(huge.source, maxFindingsPerType);
  let last: SegmentChunk | null = null;
  for await (const steps of source.list(remainingRange(held), never))
    for (const step of steps as SegmentChunk[]) {
      batch.add(step, await inspector.inspect(step, never, () => {}));
      last = step;
    }
  const moved = (await db.tx((tx) => checkpoint(tx, held, last!, batch)))!;
  return () =>
    db.tx(async (tx) => {
      await endSegment(tx, moved, part, hash, INVENTORY_KEY);
      return completeLease(tx, moved);
    });
}

describe('after a crash', () => {
  const expire = (huge: Huge) =>
    db.query(
      `update range_lease set expires_at = now() - interval '1 second' where group_id = $1 and state = 'held'`,
      [huge.scan],
    );

  it('in the middle of a segment the next holder continues after the last chunk, and every finding is stored once', async () => {
    const huge = await met();
    const first = (await claim(huge))!;
    let steps = 0;
    const crash = run(huge, first, async (_, inspect) => {
      if (++steps === 2) throw new Error('killed');
      return inspect();
    });
    await expect(crash).rejects.toThrow('killed');
    await expire(huge);
    const seen: number[] = [];
    await runAll(huge, (step, inspect) => {
      seen.push(step.step.from);
      return inspect();
    });
    expect(seen).not.toContain(0);
    expect(seen).toContain(30_000);
    await expectLikeWhole(huge);
  });

  it('a holder that was only paused writes nothing more', async () => {
    const huge = await met();
    const slow = (await claim(huge))!;
    const woken = await run(huge, slow, async (_, inspect) => {
      await expire(huge);
      await runAll(huge);
      return inspect();
    });
    expect(woken).toBeNull();
    await expectLikeWhole(huge);
    expect(await run(huge, slow)).toBe('lost');
  });

  it('a checkpoint whose answer was lost is repeated without effect', async () => {
    const huge = await met();
    const held = (await claim(huge))!;
    const { source, batch } = (await openSegment(db, held, huge.source, judging, cutting))!;
    const inspector = stepInspector(huge.source, maxFindingsPerType);
    for await (const [first] of source.list(remainingRange(held), never)) {
      const step = first as SegmentChunk;
      batch.add(step, await inspector.inspect(step, never, () => {}));
      const once = await db.tx((tx) => checkpoint(tx, held, step, batch));
      expect(await db.tx((tx) => checkpoint(tx, held, step, batch))).toEqual(once);
      break;
    }
    await expire(huge);
    await runAll(huge);
    await expectLikeWhole(huge);
  });
});

describe('an object that can not be read to its end', () => {
  const partial = async (huge: Huge) => {
    const row = await one<{ outcome: string; reason: string }>(
      db,
      'select outcome, reason from object_result where scan_id = $1',
      [huge.scan],
    );
    expect((await ledger(huge.scan)).map(([outcome, reason, objects]) => [outcome, reason, objects])).toEqual(
      [[row.outcome, reasonText(row.reason), 1]],
    );
    expect(await blocks(huge.scan)).toEqual([]);
    await expectNothingStaged(huge.scan);
    return `${row.outcome}: ${reasonText(row.reason)}`;
  };

  it('because it changed is partial, with what was found before', async () => {
    const huge = await met();
    await runAll(huge, async ({ step }, inspect) => {
      if (step.from === 60_000) huge.source.put(huge.object.key, table);
      return inspect();
    });
    expect(await partial(huge)).toBe('partial: changed while it was read');
    const { found } = await one<{ found: number }>(
      db,
      `select max(end_byte) as found from finding join object_result as object on object.id = object_id where scan_id = $1`,
      [huge.scan],
    );
    expect(found).toBeLessThan(60_000);
  });

  it('because it vanished before its first byte is skipped', async () => {
    const huge = await met();
    huge.source.failRead(huge.object.key, new SeineError('not-found', 'gone'));
    await runAll(huge);
    expect(await partial(huge)).toBe('skipped: deleted before it was read');
  });

  it('because a chunk crashes its thread is dead, with a dead letter and its reason', async () => {
    const huge = await met();
    const dead = { ...notRead('dead', 'crashed detection', false), evidence: { attempts: 2 } };
    await runAll(huge, async ({ step }, inspect) => (step.from === 90_000 ? dead : inspect()));
    expect(await partial(huge)).toBe('dead: crashed detection');
    const letter = await one<object>(
      db,
      'select kind, path, state, evidence from dead_letter where scan_id = $1',
      [huge.scan],
    );
    const evidence = { size: table.length, attempts: 2 };
    expect(letter).toEqual({ kind: 'object', path: 'people.csv', state: 'open', evidence });
  });

  it('because a segment failed permanently is dead, and the scan still ends', async () => {
    const huge = await met();
    const held = (await claim(huge))!;
    const giveUp = () => db.tx((tx) => failSegment(tx, held, 'tried too often'));
    expect(await giveUp()).toBe(true);
    expect(await giveUp()).toBe(false);
    expect(await runAll(huge)).toEqual([3, 2, 1, 0]);
    expect(await partial(huge)).toBe('dead: tried too often');
  });
});
