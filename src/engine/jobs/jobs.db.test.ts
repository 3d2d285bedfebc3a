import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { SeineError } from '../../base/errors.ts';
import type { Database } from '../../db/database.ts';
import { acquireJobSweep } from './job-store.ts';
import { type Jobs, startJobs } from './jobs.ts';

interface GivenUp {
  readonly name: string;
  readonly data: object;
  readonly reason: string;
}

let db: Database;
let jobs: Jobs;
let received: (given: GivenUp) => void = () => {};
const ran: object[] = [];
beforeAll(async () => {
  db = await freshDatabase(4);
  jobs = await startJobs(
    db,
    {
      errand: async (data: { hopeless?: boolean }) => {
        ran.push(data);
        if (data.hopeless) throw new SeineError('conflict', 'It makes no sense.', { retry: false });
      },
      elsewhere: null,
    },
    { onError() {}, onDeadLetter: async (name, data, reason) => received({ name, data, reason }) },
  );
});
afterAll(async () => {
  await jobs.stop();
  await db.close();
});

function nextGivenUp(): Promise<GivenUp> {
  return new Promise((resolve) => {
    received = resolve;
  });
}

describe('a small pool', () => {
  it('is enough for as many transactions that send as it has connections, from the first on', async () => {
    const small = await freshDatabase(2);
    const trouble = { onError() {}, onDeadLetter: async () => {} };
    const sending = await startJobs(small, { first: null, second: null }, trouble);
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const send = (name: string, n: number) =>
      small.tx(async (tx) => {
        both[n]!.resolve();
        await Promise.all(both.map(({ promise }) => promise)); // all connections are in use now
        await sending.send(tx, name, {});
      });
    await Promise.all([send('first', 0), send('second', 1)]);
    await sending.stop();
    await small.close();
  });
});

describe('the sweep for expired jobs', () => {
  it('is one process for all, and another when its time is over', async () => {
    const quiet = await freshDatabase(4); // no other process runs jobs there
    const turns = await Promise.all([1, 2, 3].map(() => acquireJobSweep(quiet, 60_000)));
    expect(turns.filter(Boolean)).toHaveLength(1);
    expect(await acquireJobSweep(quiet, 60_000)).toBe(false);
    await quiet.query(`update job_watch set swept_at = clock() - interval '61 seconds'`);
    expect(await acquireJobSweep(quiet, 60_000)).toBe(true);
    await quiet.close();
  });
});

describe('a job', () => {
  it('that no other try can mend is given up at once, with its reason', async () => {
    const given = nextGivenUp();
    await db.tx((tx) => jobs.send(tx, 'errand', { hopeless: true }));
    jobs.wake();
    expect(await given).toEqual({ name: 'errand', data: { hopeless: true }, reason: 'It makes no sense.' });
  });

  it('is reported with the described failure, never with the error itself', async () => {
    const own = await freshDatabase(4);
    const given = Promise.withResolvers<string>();
    const errand = async () => {
      throw new SeineError('corrupt', 'hr/219-73-8264.txt is out of order.');
    };
    const working = await startJobs(
      own,
      { errand },
      {
        onError() {},
        describe: async () => 'a masked name is out of order.',
        onDeadLetter: async (_name, _data, reason) => given.resolve(reason),
      },
    );
    await own.tx((tx) => working.send(tx, 'errand', {}));
    working.wake();
    expect(await given.promise).toBe('a masked name is out of order.');
    await working.stop();
    await own.close();
  });

  it('is stored with the described failure, too', async () => {
    const own = await freshDatabase(4);
    const errand = async () => {
      throw new Error('hr/219-73-8264.txt is out of order.');
    };
    const describe = async () => 'a masked name is out of order.';
    const working = await startJobs(own, { errand }, { onError() {}, describe });
    await own.tx((tx) => working.send(tx, 'errand', {}));
    working.wake();
    const failed = async () => (await own.query<{ error: string }>('select error from job')).rows[0]!.error;
    await expect.poll(failed).toBe('a masked name is out of order.');
    await working.stop();
    await own.close();
  });

  it('is not sent by a transaction that is rolled back', async () => {
    const broken = db.tx(async (tx) => {
      await jobs.send(tx, 'elsewhere', {});
      throw new Error('changed my mind');
    });
    await expect(broken).rejects.toThrow('changed my mind');
    expect((await db.query(`select 1 from job where queue = 'elsewhere'`)).rows).toEqual([]);
  });

  it('whose process crashed at every attempt is dead-lettered by a remaining process', async () => {
    const given = nextGivenUp();
    await db.tx((tx) => jobs.send(tx, 'elsewhere', { scan: 7 }));
    await db.query(
      `update job
       set state = 'running', attempt = max_attempts, crashes = max_attempts - 1, expires_at = clock() - interval '1 hour'
       where queue = 'elsewhere'`,
    );
    expect(await given).toEqual({
      name: 'elsewhere',
      data: { scan: 7 },
      reason: 'crashed the worker 6 times',
    });
  });
});
