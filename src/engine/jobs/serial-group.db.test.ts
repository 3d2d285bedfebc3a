import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { SeineError } from '../../base/errors.ts';
import { type Database, many } from '../../db/database.ts';
import { WORK_CHANNEL } from '../workers/work-channel.ts';
import { MAX_ATTEMPTS, queueOfNotification } from './job-store.ts';
import { type Handlers, type JobOptions, type Jobs, startJobs } from './jobs.ts';

let db: Database;
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  db = await freshDatabase(6);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await db.close();
});

async function start(handlers: Handlers, options: Partial<JobOptions> = {}): Promise<Jobs> {
  const jobs = await startJobs(db, handlers, { onError() {}, ...options });
  stops.push(() => jobs.stop());
  return jobs;
}

async function send(jobs: Jobs, ...queues: string[]): Promise<void> {
  for (const [n, queue] of queues.entries()) await db.tx((tx) => jobs.send(tx, queue, { n }));
  jobs.wake();
}

const isEmpty = () => expect.poll(() => many(db, 'select from job'), { message: 'jobs to end' }).toEqual([]);

describe('the jobs of a group', () => {
  it('run one at a time, the queues in turn', async () => {
    const order: string[] = [];
    let running = 0;
    const record = (queue: string) => async () => {
      expect(++running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(queue);
      running--;
    };
    const sender = await start({});
    await send(sender, 'a', 'a', 'a', 'b', 'b', 'c');
    await start({ a: record('a'), b: record('b'), c: record('c') });
    await isEmpty();
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('do not wait for those of another group', async () => {
    const release = Promise.withResolvers<void>();
    const ended: string[] = [];
    const jobs = await start(
      { export: () => release.promise, finalize: async () => void ended.push('finalize') },
      { serialGroup: (queue) => queue },
    );
    await send(jobs, 'export', 'finalize');
    await expect.poll(() => ended, { message: 'the other group' }).toEqual(['finalize']);
    release.resolve();
    await isEmpty();
  });

  it('are left to others when the process stops, except the one that runs', async () => {
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const jobs = await start({
      errand: () => {
        started.resolve();
        return release.promise;
      },
    });
    await send(jobs, 'errand', 'errand');
    await started.promise;
    const stopped = jobs.stop();
    release.resolve();
    await stopped;
    expect(await many(db, 'select state, attempt from job')).toEqual([{ state: 'available', attempt: 0 }]);
  });

  it('are not counted as tried when the process stops, however often', async () => {
    const letters: object[] = [];
    const writeDeadLetter = async (_tx: unknown, _queue: string, args: object) => void letters.push(args);
    const sender = await start({}, { writeDeadLetter });
    await send(sender, 'export');
    for (let n = 0; n <= MAX_ATTEMPTS; n++) {
      const started = Promise.withResolvers<void>();
      const stopping = Promise.withResolvers<void>();
      const jobs = await start({
        export: async () => {
          started.resolve();
          await stopping.promise;
          throw new Error('This operation was aborted');
        },
      });
      await db.query('update job set run_at = clock()');
      jobs.wake();
      await started.promise;
      const stopped = jobs.stop();
      stopping.resolve();
      await stopped;
      expect(await many(db, 'select state, attempt, error from job')).toEqual([
        { state: 'available', attempt: 0, error: null },
      ]);
    }
    expect(letters).toEqual([]);
  });

  it('that are beyond hope fail also while the process stops', async () => {
    const started = Promise.withResolvers<void>();
    const stopping = Promise.withResolvers<void>();
    const jobs = await start({
      errand: async () => {
        started.resolve();
        await stopping.promise;
        throw new SeineError('conflict', 'It makes no sense.', { retry: false });
      },
    });
    await send(jobs, 'errand');
    await started.promise;
    const stopped = jobs.stop();
    stopping.resolve();
    await stopped;
    expect(await many(db, 'select state, error from job')).toEqual([
      { state: 'exhausted', error: 'It makes no sense.' },
    ]);
  });

  it('are tried again when the handler throws before it returns a promise', async () => {
    const errors: string[] = [];
    const jobs = await start(
      {
        errand: () => {
          throw new Error('not even started');
        },
      },
      { onError: (message) => errors.push(message) },
    );
    await send(jobs, 'errand');
    await expect.poll(() => errors).toEqual(['job errand: not even started']);
    await expect
      .poll(() => many(db, 'select state, error from job'))
      .toEqual([{ state: 'available', error: 'not even started' }]);
  });
});

describe('a running job', () => {
  it('keeps its claim; if that is lost nevertheless, the signal of its handler is aborted', async () => {
    const lost = Promise.withResolvers<void>();
    const jobs = await start({
      errand: async (_args: object, signal: AbortSignal) => {
        signal.addEventListener('abort', () => lost.resolve());
        await lost.promise;
        signal.throwIfAborted();
      },
    });
    await send(jobs, 'errand');
    const renewed = async () =>
      (await many(db, "select from job where renewed_at > created_at + interval '4 s'")).length;
    await expect.poll(renewed, { message: 'a heartbeat' }).toBe(1);
    await db.query('update job set token = token + 1');
    await lost.promise;
    await jobs.stop();
    expect(await many(db, 'select state, error from job')).toEqual([{ state: 'running', error: null }]);
  });
});

describe('a notification', () => {
  it('names the queue at the commit, of jobs that are due', async () => {
    const heard: (string | null)[] = [];
    const stop = await db.listen(WORK_CHANNEL, (payload) => heard.push(queueOfNotification(payload)));
    const jobs = await start({});
    const aborted = db.tx(async (tx) => {
      await jobs.send(tx, 'undone', {});
      throw new Error('changed my mind');
    });
    await expect(aborted).rejects.toThrow();
    await db.tx((tx) => jobs.send(tx, 'later', {}, 60_000));
    await db.tx((tx) => jobs.send(tx, 'now', {}));
    await db.query(`select pg_notify('${WORK_CHANNEL}', '3')`);
    await expect.poll(() => heard).toEqual(['now', null]);
    await stop();
  });

  it('wakes a process that runs the queue', async () => {
    const ran: string[] = [];
    const jobs = await start({ ours: async () => void ran.push('ours') });
    await db.tx((tx) => jobs.send(tx, 'ours', {}));
    jobs.wake('theirs');
    jobs.wake('ours');
    jobs.wake('ours');
    await expect.poll(() => ran).toEqual(['ours']);
  });
});
