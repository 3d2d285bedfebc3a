import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase, hasLockWaiter } from '../../../test/support/database.ts';
import { inspectInProcess, plannedScan, workerDeps } from '../../../test/support/scan.ts';
import { repeatWhile, waitUntil } from '../../../test/support/wait-for.ts';
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import { WakeSignal } from '../../base/wake-signal.ts';
import { type Database, one } from '../../db/database.ts';
import { type Jobs, startJobs } from '../../engine/jobs/jobs.ts';
import { readLeaseGroup, setLeaseGroupPaused } from '../../engine/leases/lease-group-store.ts';
import { createMemorySource, type MemorySource } from '../../sources/memory/memory.ts';
import { cancelScan } from '../lifecycle/control-scan.ts';
import { finalizeScan, recordFinalizeFailure } from '../lifecycle/finalize-scan.ts';
import { endScan, readScan } from '../lifecycle/scan-store.ts';
import { notRead } from '../results/inspection.ts';
import { readLedger } from '../results/report-store.ts';
import { runScan } from '../run-scan.ts';
import { coverageSums } from '../shard/shard-store.ts';
import { groupLetters, listLetters, purgeLetters } from './letter-store.ts';
import { retryLetters } from './retry.ts';

let db: Database;
let jobs: Jobs;
let source: MemorySource;
const wake = new WakeSignal();
const runs: object[] = [];
const never = new AbortController().signal;
beforeAll(async () => {
  db = await freshDatabase(8);
  const finalize = async ({ scan }: { scan: number }) => {
    await finalizeScan(db, jobs, scan);
    wake.notifyAll();
  };
  const sample = async (data: object) => void runs.push(data);
  jobs = await startJobs(
    db,
    { finalize, sample, prune: async () => {} },
    { onError: () => {}, onDeadLetter: async () => {} },
  );
});
afterAll(async () => {
  await jobs.stop();
  await db.close();
});
beforeEach(() => {
  const contents = { a: 'nothing', b: 'mail: ann@example.com', bad: 'SSN: 219-09-1234', c: 'x' };
  source = createMemorySource(contents, { id: `memory:${randomUUID()}` }); // isolates the scans from each other
});

const mine = (scan: number) => ({ tenant: 'default', scan });

/** `deadly` objects fail on every inspection. */
async function run(scan: number, deadly: readonly string[] = []): Promise<void> {
  const pool = inspectInProcess(source, (object, inspection) =>
    deadly.includes(object.key)
      ? notRead('dead', `crashed detection: ${object.size} bytes`, false)
      : inspection(),
  );
  await runScan(scan, workerDeps(db, source, jobs, { wakeSignal: wake, pool }), never);
}

async function scanWithDead(...deadly: string[]): Promise<number> {
  const scan = await plannedScan(db, source);
  await run(scan, deadly);
  return scan;
}

describe('an object that failed', () => {
  it('has a dead letter, and the scan is incomplete', async () => {
    const scan = await scanWithDead('bad');
    expect(await readScan(db, scan)).toMatchObject({ status: 'incomplete' });
    const [letter] = await listLetters(db, mine(scan), { limit: 10 });
    expect(letter).toMatchObject({
      kind: 'object',
      path: 'bad',
      reason: 'crashed detection: 16 bytes',
      signature: 'crashed detection: # bytes',
      state: 'open',
      evidence: { size: 16 },
    });
  });

  it('is grouped with others of the same cause', async () => {
    const scan = await scanWithDead('bad', 'c');
    const groups = await groupLetters(db, mine(scan));
    expect(groups).toMatchObject([{ signature: 'crashed detection: # bytes', letters: 2 }]);
    expect(await listLetters(db, { ...mine(scan), signature: 'DETECTION' }, { limit: 9 })).toHaveLength(2);
    expect(await listLetters(db, { ...mine(scan), signature: 'network' }, { limit: 9 })).toHaveLength(0);
  });
});

describe('a group of letters', () => {
  it.each([
    ['detection-stalled', 'detection made no progress', 'detection stalled'],
    ['worker-crashes: #', 'crashed the worker # times', 'worker # times'],
    ['read-failed: EIO', 'could not be read: EIO', 'BE READ: eio'],
    ['reader-exited: #', 'document reader ended (#)', 'ended (#'],
    ['no-permission', 'no permission', 'no-permission'],
    ['out of tape', 'out of tape', 'of tape'],
  ])('stored as %s or as %s is found by what is shown', async (code, sentence, wanted) => {
    const scan = await plannedScan(db, source);
    for (const signature of [code, sentence])
      await db.query(
        `insert into dead_letter (tenant, scan_id, kind, path, signature, reason) values ($1, $2, 'object', 'x', $3, $3)`,
        [mine(scan).tenant, scan, signature],
      );
    expect(await groupLetters(db, mine(scan))).toHaveLength(1);
    expect(await groupLetters(db, { ...mine(scan), signature: wanted })).toMatchObject([{ letters: 2 }]);
    expect(await purgeLetters(db, { ...mine(scan), signature: wanted })).toBe(2);
  });
});

describe('a retried letter', () => {
  it('runs: the object is inspected, the coverage is updated, the scan completes', async () => {
    const scan = await scanWithDead('bad');
    const retried = await retryLetters(db, jobs, mine(scan));
    expect(retried).toEqual({ letters: 1, scans: [scan], ends: [] });
    expect(await readScan(db, scan)).toMatchObject({ status: 'running', finishedAt: null });
    await run(scan);
    expect(await readScan(db, scan)).toMatchObject({ status: 'completed', error: null });
    expect(await coverageSums(db, scan)).toEqual({ listed: 4, ledgered: 4, dead: 0 });
    expect(await readLedger(db, scan)).toMatchObject([{ outcome: 'scanned', objects: 4 }]);
    expect(await listLetters(db, { ...mine(scan), state: 'resolved' }, { limit: 9 })).toHaveLength(1);
    const { rows } = await db.query(
      `select f.detector from finding f join object_result o on o.id = f.object_id where o.scan_id = $1 order by 1`,
      [scan],
    );
    expect(rows).toEqual([{ detector: 'EMAIL' }, { detector: 'SSN' }]);
  });

  it('that fails again is open again, with one more attempt, and the sums still hold', async () => {
    const scan = await scanWithDead('bad', 'c');
    await retryLetters(db, jobs, mine(scan));
    await run(scan, ['bad']);
    expect(await readScan(db, scan)).toMatchObject({ status: 'incomplete' });
    expect(await coverageSums(db, scan)).toEqual({ listed: 4, ledgered: 4, dead: 1 });
    const letters = await listLetters(db, { ...mine(scan), state: 'open' }, { limit: 9 });
    expect(letters).toMatchObject([{ path: 'bad', attempts: 2 }]);
  });

  it('is claimed by one of two concurrent retries', async () => {
    const scan = await scanWithDead('bad');
    const both = await Promise.all([retryLetters(db, jobs, mine(scan)), retryLetters(db, jobs, mine(scan))]);
    expect(both.map(({ letters }) => letters).sort()).toEqual([0, 1]);
    await run(scan);
    expect(await readScan(db, scan)).toMatchObject({ status: 'completed' });
  });

  it('of a scan that is being finalized reopens it: it ends after the object was inspected, not before', async () => {
    const scan = await scanWithDead('bad');
    await db.query(`update scan set status = 'finalizing', finished_at = null where id = $1`, [scan]);
    await retryLetters(db, jobs, mine(scan));
    await finalizeScan(db, jobs, scan); // the pending finalize job
    expect(await readScan(db, scan)).toMatchObject({ status: 'running', finishedAt: null });
    await run(scan);
    expect(await readScan(db, scan)).toMatchObject({ status: 'completed' });
    expect(await readLeaseGroup(db, scan)).toMatchObject({ remaining: 0 });
  });

  it('of a scan whose end is committed meanwhile opens it once more', async () => {
    const scan = await scanWithDead('bad');
    await db.query(`update scan set status = 'finalizing', finished_at = null where id = $1`, [scan]);
    const retrying = await db.tx(async (tx) => {
      await endScan(tx, scan, 'incomplete', null);
      const started = { end: retryLetters(db, jobs, mine(scan)) };
      await hasLockWaiter(db);
      return started;
    });
    await retrying.end;
    expect(await readScan(db, scan)).toMatchObject({ status: 'running', finishedAt: null });
    await run(scan);
    expect(await readScan(db, scan)).toMatchObject({ status: 'completed' });
  });

  it('of a scan that is cancelled before the retry is reopened, and can be retried', async () => {
    const scan = await scanWithDead('bad', 'c');
    await retryLetters(db, jobs, mine(scan));
    await cancelScan(db, jobs, scan);
    await waitUntil('the end of the scan', async () => (await readScan(db, scan))!.finishedAt !== null);
    const letters = await listLetters(db, { ...mine(scan), state: 'open' }, { limit: 9 });
    expect(letters.map(({ path }) => path)).toEqual(['bad', 'c']);
    // The scan itself was not cancelled.
    expect(await readScan(db, scan)).toMatchObject({ status: 'incomplete' });
    await retryLetters(db, jobs, mine(scan));
    await run(scan);
    expect(await readScan(db, scan)).toMatchObject({ status: 'completed' });
    expect(await coverageSums(db, scan)).toEqual({ listed: 4, ledgered: 4, dead: 0 });
    expect(await listLetters(db, { ...mine(scan), state: 'resolved' }, { limit: 9 })).toHaveLength(2);
  });

  it('of a scan that is paused waits until the scan is resumed', async () => {
    const scan = await scanWithDead('bad');
    await db.query(`update scan set status = 'paused', finished_at = null where id = $1`, [scan]);
    await setLeaseGroupPaused(db, scan, true);
    await retryLetters(db, jobs, mine(scan));
    expect(await readScan(db, scan)).toMatchObject({ status: 'paused' });
    expect(await readLeaseGroup(db, scan)).toMatchObject({ remaining: 1, paused: true });
  });

  it('whose object has vanished meanwhile is accounted for', async () => {
    const scan = await scanWithDead('bad');
    source.remove(keyOf('bad'));
    await retryLetters(db, jobs, mine(scan));
    await run(scan);
    expect(await readScan(db, scan)).toMatchObject({ status: 'completed' });
    expect(await readLedger(db, scan)).toMatchObject([
      { outcome: 'scanned', objects: 3 },
      { outcome: 'skipped', reason: 'deleted before it was read', objects: 1 },
    ]);
  });

  it('of a failed shard continues at its cursor', async () => {
    const scan = await plannedScan(db, source);
    source.failList(keyOf('bad'), new SeineError('corrupt', 'the listing is broken'), 8);
    const runs = repeatWhile('runs of the scan', async () => {
      await db.query('update range_lease set not_before = now() where group_id = $1', [scan]);
      await run(scan);
      return (await readScan(db, scan))!.finishedAt === null;
    });
    await expect(runs).rejects.toThrow('the listing is broken');
    await retryLetters(db, jobs, { ...mine(scan), kind: 'shard' });
    await run(scan);
    expect(await readScan(db, scan)).toMatchObject({ status: 'completed' });
    expect(await coverageSums(db, scan)).toEqual({ listed: 4, ledgered: 4, dead: 0 });
  });

  it('of a job sends it once more', async () => {
    const scan = await scanWithDead();
    const { addDeadJob } = await import('./letter-store.ts');
    const job = { scan, name: 'sample', data: { scan, n: 7 }, reason: 'no answer', signature: 'no answer' };
    await addDeadJob(db, job);
    await retryLetters(db, jobs, { ...mine(scan), kind: 'job' });
    await waitUntil('the job to be sent', () => runs.length !== 0);
    expect(runs).toEqual([{ scan, n: 7 }]);
    expect(await readScan(db, scan)).toMatchObject({ status: 'completed' });
  });
});

describe('the end of a scan whose finalization failed', () => {
  async function givenUp(): Promise<number> {
    const scan = await scanWithDead();
    await db.query(`update scan set status = 'finalizing', finished_at = null where id = $1`, [scan]);
    await recordFinalizeFailure(db, jobs, scan, 'no answer');
    return scan;
  }

  it('fails the scan, with a dead letter; retried, it ends normally and triggers its hooks', async () => {
    const scan = await givenUp();
    expect(await readScan(db, scan)).toMatchObject({ status: 'failed', error: 'no answer' });
    await retryLetters(db, jobs, mine(scan));
    await waitUntil('the end of the scan', async () => (await readScan(db, scan))!.finishedAt !== null);
    expect(await readScan(db, scan)).toMatchObject({ status: 'completed', error: null });
    expect(await one(db, 'select reopen_count from scan where id = $1', [scan])).toEqual({ reopen_count: 1 });
  });

  it('is ignored when the scan has ended or was reopened meanwhile', async () => {
    const [opened, ended] = [await scanWithDead('bad'), await scanWithDead()];
    await retryLetters(db, jobs, mine(opened));
    await recordFinalizeFailure(db, jobs, ended, 'no answer');
    await recordFinalizeFailure(db, jobs, opened, 'no answer');
    expect(await readScan(db, ended)).toMatchObject({ status: 'completed' });
    expect(await readScan(db, opened)).toMatchObject({ status: 'running' });
    expect(await listLetters(db, { ...mine(ended), kind: 'job' }, { limit: 9 })).toEqual([]);
    expect(await listLetters(db, { ...mine(opened), kind: 'job' }, { limit: 9 })).toEqual([]);
  });
});

describe('purging', () => {
  it('deletes the letters, and the object stays dead in the coverage', async () => {
    const scan = await scanWithDead('bad', 'c');
    expect(await purgeLetters(db, mine(scan))).toBe(2);
    expect(await coverageSums(db, scan)).toMatchObject({ dead: 2 });
  });
});
