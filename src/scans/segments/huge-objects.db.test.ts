import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { inspectInProcess, plannedScan, recordingJobs, workerDeps } from '../../../test/support/scan.ts';
import { keyOf } from '../../base/key.ts';
import { type Database, many } from '../../db/database.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { createMemorySource, type MemorySource } from '../../sources/memory/memory.ts';
import type { SourceObject } from '../../sources/source.ts';
import { Inspector } from '../detect/inspector.ts';
import type { InspectionQueue } from '../detect/scan-queue.ts';
import { finalizeScan } from '../lifecycle/finalize-scan.ts';
import { readScan } from '../lifecycle/scan-store.ts';
import { findingsDigest } from '../results/finding-store.ts';
import { readLedger } from '../results/report-store.ts';
import { runScan } from '../run-scan.ts';
import { coverageSums } from '../shard/shard-store.ts';
import type { WorkerContext } from '../worker-context.ts';
import { isChunk } from './segment.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(12);
});
afterAll(() => db.close());

const never = new AbortController().signal;
const MiB = 1 << 20;
const dull = Buffer.from('a line of a log in which there is nothing to be found by anybody\n'.repeat(16_384));

/** Some megabytes with a person here and there, also across the boundaries of chunks. */
function hugeLog(megabytes: number): Buffer {
  const log = Buffer.concat(Array.from({ length: megabytes }, () => dull)).subarray(0, megabytes * MiB);
  for (let at = 1000; at < log.length; at += 3 * MiB) log.write('\nmail p1@acme.example\n', at);
  for (let at = 8 * MiB; at < log.length; at += 8 * MiB) log.write(' SSN: 536-22-8741 ', at - 9);
  return log;
}

function folder(id: string): MemorySource {
  const source = createMemorySource({}, { id: `memory:${id}`, piece: MiB });
  for (let n = 0; n < 20; n++) source.put(keyOf(`a${n}.txt`), `mail q${n}@acme.example`);
  source.put(keyOf('a5-huge.log'), hugeLog(72));
  source.put(keyOf('b-dull.log'), Buffer.concat(Array.from({ length: 66 }, () => dull)));
  source.put(keyOf('c.txt'), 'SSN: 536-22-8741');
  return source;
}

/** Inspects as threads do, in this thread. `seen`: what was read by chunks. */
function inspectAsync(source: MemorySource, seen: SourceObject[] = []): InspectionQueue {
  const inspector = new Inspector(source, {
    rules: DEFAULT_RULES,
    secret: Buffer.alloc(32, 7),
    maxFindingsPerType: 100,
  });
  let queue = Promise.resolve();
  return {
    ...inspectInProcess(source),
    submit(object, done) {
      if (isChunk(object)) seen.push(object);
      queue = queue.then(async () => done(await inspector.inspect(object, never, () => {})));
    },
  };
}

async function scanned(source: MemorySource, more: Partial<WorkerContext> & { pool?: InspectionQueue } = {}) {
  const scan = await plannedScan(db, source);
  const { jobs } = recordingJobs(db);
  const loop = () =>
    runScan(
      scan,
      workerDeps(db, source, finishing(scan, jobs), { pool: inspectAsync(source), ...more }),
      never,
    );
  await Promise.all([loop(), loop()]);
  return scan;
}

/** Finalizes at once, so that the loops of the scan end. */
function finishing(scan: number, jobs: WorkerContext['jobs']): WorkerContext['jobs'] {
  return { ...jobs, wake: () => void finalizeScan(db, jobs, scan).catch(() => {}) };
}

async function resultOf(scan: number) {
  const row = (await readScan(db, scan))!;
  return {
    status: row.status,
    digest: await findingsDigest(db, row),
    ledger: await readLedger(db, scan),
    objects: await many(
      db,
      'select path, folder, outcome, reason, size::double precision, modified, score, points, tier, counts from object_result where scan_id = $1 order by path',
      [scan],
    ),
    sums: await coverageSums(db, scan),
  };
}

describe('a scan that meets huge objects', () => {
  it('has the same result by parts as one that reads them whole', async () => {
    const source = folder('equal');
    const whole = await scanned(source, { minSegmentedBytes: Number.POSITIVE_INFINITY });
    await db.query('delete from inventory_block'); // all objects are new the second time
    const steps: SourceObject[] = [];
    const byParts = await scanned(source, { pool: inspectAsync(source, steps) });
    expect(steps.length).toBe(9 + 8);
    expect(await resultOf(byParts)).toEqual(await resultOf(whole));
    expect((await resultOf(whole)).status).toBe('completed');
    expect(await many(db, 'select 1 from segmented_object')).toEqual([]);
  }, 60_000);

  it('recognises them as unchanged in the next scan', async () => {
    const source = folder('again');
    const first = await scanned(source);
    const before = new Map(source.reads);
    const second = await scanned(source);
    expect(new Map(source.reads)).toEqual(before);
    const { digest, ledger } = await resultOf(second);
    expect(digest).toBe((await resultOf(first)).digest);
    expect(ledger.map(({ outcome, objects }) => [outcome, objects])).toEqual([['unchanged', 23]]);
    source.put(keyOf('a5-huge.log'), hugeLog(70));
    const third = await scanned(source);
    expect((await resultOf(third)).ledger.map(({ outcome, objects }) => [outcome, objects])).toEqual([
      ['scanned', 1],
      ['unchanged', 22],
    ]);
    await scanned(source);
    expect(source.reads.get(keyOf('b-dull.log'))).toBe(before.get(keyOf('b-dull.log')));
  }, 60_000);
});

describe('an object that is mostly sparse', () => {
  const log = Buffer.from(`SSN: 536-22-8741\n${'a line of a log\n'.repeat(2000)}`);

  function withHole(id: string): MemorySource {
    const source = createMemorySource({ 'a.txt': 'SSN: 536-22-8742' }, { id: `memory:${id}` });
    source.put(keyOf('sparse.log'), Buffer.concat([log, Buffer.alloc(MiB)]), {
      size: 2 ** 62,
      readTo: log.length,
    });
    return source;
  }

  it.each([
    ['by parts', 1000],
    ['whole', Number.POSITIVE_INFINITY],
  ])(
    'and that is read %s is partial, with what was found before the hole',
    async (how, minSegmentedBytes) => {
      const scan = await scanned(withHole(`sparse ${how}`), { minSegmentedBytes });
      const { status, ledger, sums } = await resultOf(scan);
      expect(status).toBe('completed');
      expect(ledger).toEqual([
        { outcome: 'scanned', reason: null, reasonCode: null, objects: 1, bytes: 16 },
        {
          outcome: 'partial',
          reason: 'sparse file, not read to its end',
          reasonCode: 'sparse-file',
          objects: 1,
          bytes: 2 ** 62,
        },
      ]);
      expect(sums).toEqual({ listed: 2, ledgered: 2, dead: 0 });
      expect(
        await many(db, `select path, counts from object_result where scan_id = $1 order by path`, [scan]),
      ).toEqual([
        { path: 'a.txt', counts: { SSN: 1 } },
        { path: 'sparse.log', counts: { SSN: 1 } },
      ]);
      const { bytes } = (
        await many<{ bytes: number }>(db, 'select sum(bytes_read) as bytes from shard where scan_id = $1', [
          scan,
        ])
      )[0]!;
      expect(bytes).toBe(16 + log.length);
    },
  );
});

it('has the same confidence histogram read by segments as read in one piece', async () => {
  const log = Buffer.from(`SSN: 536-22-8741\n${'a line of a log\n'.repeat(2000)}`);
  const histogramOf = async (id: string, minSegmentedBytes: number) => {
    const source = createMemorySource({}, { id: `memory:${id}` });
    source.put(keyOf('huge.log'), log);
    const scan = await scanned(source, { minSegmentedBytes });
    const rows = await many<{ histogram: object | null }>(
      db,
      'select confidence_histogram as histogram from object_result where scan_id = $1',
      [scan],
    );
    return rows[0]?.histogram;
  };
  const whole = await histogramOf('one piece', 1e9);
  expect(whole).toMatchObject({ SSN: expect.anything() });
  expect(await histogramOf('segments', 1000)).toEqual(whole);
});

describe('a result that PostgreSQL refuses', () => {
  const log = Buffer.from(`SSN: 536-22-8741\n${'a line of a log\n'.repeat(2000)}`);

  /** Makes `table` reject results of the huge object. */
  async function refusedBy(table: string, id: string) {
    const source = createMemorySource({ 'a.txt': 'SSN: 536-22-8742' }, { id: `memory:${id}` });
    source.put(keyOf('huge.log'), log);
    await db.query(
      `create or replace function refuse() returns trigger language plpgsql as $$ begin
         if new.outcome = 'scanned' and to_jsonb(new)->>'path' is distinct from 'a.txt' then
           raise exception 'no' using errcode = '22003';
         end if;
         return new;
       end $$;
       create trigger refuse before insert on ${table} for each row execute function refuse()`,
    );
    try {
      const scan = await scanned(source, { minSegmentedBytes: 1000 });
      return { scan, ...(await resultOf(scan)) };
    } finally {
      await db.query(`drop trigger refuse on ${table}`);
    }
  }

  it.each([
    ['of a part', 'segment_result'],
    ['of a huge object, at its end', 'object_result'],
  ])('%s fails that object, and the scan continues', async (what, table) => {
    const { scan, status, ledger, sums } = await refusedBy(table, what);
    expect(status).toBe('incomplete');
    expect(ledger.map(({ outcome, reason, objects }) => [outcome, reason, objects])).toEqual([
      ['scanned', null, 1],
      ['dead', 'its result could not be stored', 1],
    ]);
    expect(sums).toEqual({ listed: 2, ledgered: 2, dead: 1 });
    expect(
      await many(db, 'select path, state, evidence from dead_letter where scan_id = $1', [scan]),
    ).toEqual([{ path: 'huge.log', state: 'open', evidence: { size: log.length, error: 'SQLSTATE 22003' } }]);
    expect(await many(db, 'select 1 from segmented_object')).toEqual([]);
  });
});
