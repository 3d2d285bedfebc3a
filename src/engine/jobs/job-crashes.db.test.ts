import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { SeineError } from '../../base/errors.ts';
import { type Database, many, type Queryable, type Tx } from '../../db/database.ts';
import { failExpiredJobs, insertJob, MAX_ATTEMPTS } from './job-store.ts';
import { type Jobs, startJobs } from './jobs.ts';

let db: Database & { readonly url: string };
const children: ChildProcess[] = [];
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  db = await freshDatabase(10);
  await db.query(`
    create table run (n integer, pid integer, started_at timestamptz default clock_timestamp(), ended_at timestamptz);
    create table letter (args jsonb, reason text)`);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const stop of stops.splice(0)) await stop();
  await db.close();
});

const send = (args: object) =>
  db.tx((tx) => insertJob(tx, { queue: 'errand', args, afterMs: 0, priority: 0, uniqueKey: null }));
const writeLetter = (tx: Tx, args: object, reason: string) =>
  tx.query('insert into letter (args, reason) values ($1, $2)', [JSON.stringify(args), reason]);
const letters = () => many<{ args: object; reason: string }>(db, 'select args, reason from letter');
const jobsLeft = () => many(db, 'select from job');

/** As if the time of a claim had passed, for those of dead processes; and the pause before the next attempt. */
async function skipWaiting(isDead: string): Promise<void> {
  await db.query(
    `update job set expires_at = clock() - interval '1 second' where state = 'running' and ${isDead}`,
  );
  await failExpiredJobs(db);
  await db.query(`update job set run_at = clock() where run_at > clock()`);
}

describe('processes that are killed', () => {
  function startProcess(): ChildProcess {
    const fixture = join(import.meta.dirname, 'job-runner.fixture.ts');
    const child = spawn(process.execPath, [fixture, db.url], { stdio: 'inherit' });
    children.push(child);
    return child;
  }

  const startOf = (child: ChildProcess, n: number) =>
    waitFor(db, `job ${n} to start`, async () => {
      const rows = await many(db, 'select from run where n = $1 and pid = $2', [n, child.pid]);
      return rows.length > 0 ? true : null;
    });

  /** Ends the claims of jobs that a killed process had started and not ended. */
  async function kill(child: ChildProcess): Promise<void> {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
    await skipWaiting(
      `(args->>'n')::integer in (select n from run where pid = ${child.pid} and ended_at is null)`,
    );
  }

  it('lose no job, and no job is run by two at once', async () => {
    for (let n = 0; n < 300; n++) await send({ n });
    await send({ n: 1000, ms: 600_000 });
    const [first, second] = [startProcess(), startProcess()];
    const third = startProcess();
    const holder = await waitFor(db, 'the long job to start', async () => {
      const [row] = await many<{ pid: number }>(db, 'select pid from run where n = 1000');
      return [first, second, third].find(({ pid }) => pid === row?.pid) ?? null;
    });
    await kill(holder);
    const next = startProcess();
    await db.query(`update job set args = args || '{"ms": 5}' where (args->>'n')::integer = 1000`);
    await waitFor(db, 'the jobs to end', async () => ((await jobsLeft()).length === 0 ? true : null));
    expect(next.exitCode).toBeNull();
    expect(
      await many(db, 'select from (select distinct n from run where ended_at is not null) as ended'),
    ).toHaveLength(301);
    const atOnce = `
      select a.n from run a join run b on a.n = b.n and a.pid <> b.pid
        and a.started_at < b.ended_at and b.started_at < a.ended_at`;
    expect(await many(db, atOnce)).toEqual([]);
  });

  it('at every attempt leave one dead letter, which says so', async () => {
    await send({ n: 1, ms: 600_000 });
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const child = startProcess();
      await startOf(child, 1);
      await kill(child);
    }
    startProcess();
    startProcess();
    await waitFor(db, 'the dead letter', async () => ((await jobsLeft()).length === 0 ? true : null));
    expect(await letters()).toEqual([
      { args: { n: 1, ms: 600_000 }, reason: `crashed the worker ${MAX_ATTEMPTS} times` },
    ]);
  });
});

/** A statement of the protocol, recognised by a part of its text. */
const STATEMENTS = {
  'the poll': 'as ours(queue)\n     where exists',
  'the claim': `set state = 'running'`,
  'the completion': 'delete from job where id',
  'the record of a failure': `state = case when $5`,
  'the removal of an exhausted job': 'delete from job using next',
  'the dead letter': 'insert into letter',
  'the delay of a dead letter': 'set attempt = attempt + 1, run_at',
} as const;

/** Fails at the first statement with this text: its connection is lost before it was executed, or before the answer arrived. */
function losing(when: 'before' | 'after', text: string): { db: Database; isLost: () => boolean } {
  let isLost = false;
  const lose = () => {
    isLost = true;
    throw new SeineError('unavailable', 'The connection was lost.', { retry: false }); // or the statement would be repeated
  };
  const over = <Connection extends Queryable>(connection: Connection): Connection => ({
    ...connection,
    async query(...asked: Parameters<Queryable['query']>) {
      const isIt = !isLost && asked[0].includes(text);
      if (isIt && when === 'before') lose();
      const answer = await connection.query(...asked);
      if (isIt) lose();
      return answer;
    },
  });
  const faulty: Database = {
    ...over(db),
    tx: async (work) => {
      const isIt = text === 'commit' && !isLost;
      const result = await db.tx(async (tx) => {
        const own = await work(over(tx));
        if (isIt && when === 'before') lose();
        return own;
      });
      if (isIt) lose();
      return result;
    },
  };
  return { db: faulty, isLost: () => isLost };
}

describe('a connection that is lost', () => {
  const faults = [...Object.entries(STATEMENTS), ['the commit of a dead letter', 'commit'] as const].flatMap(
    ([name, text]) => (['before', 'after'] as const).map((when) => ({ name, text, when })),
  );

  async function startOver(faulty: Database, effects: string[], failures = 0): Promise<Jobs> {
    const jobs = await startJobs(
      faulty,
      {
        errand: async ({ fails }: { fails: boolean }) => {
          effects.push(fails ? 'failed' : 'done');
          if (fails) throw new SeineError('conflict', 'It makes no sense.', { retry: false });
        },
      },
      {
        onError() {},
        writeDeadLetter: async (tx: Tx, _queue, args, reason) => {
          await writeLetter(tx, args, reason);
          if (failures-- > 0) throw new Error('the table is full');
        },
      },
    );
    stops.push(() => jobs.stop());
    return jobs;
  }

  it.each(faults)('$when $name loses no job, and leaves each dead letter once', async ({ text, when }) => {
    const effects: string[] = [];
    const { db: faulty, isLost } = losing(when, text);
    const jobs = await startOver(faulty, effects, 1);
    await send({ fails: false });
    await send({ fails: true });
    await expect
      .poll(
        async () => {
          jobs.wake();
          const isIdle = effects.length;
          await new Promise((resolve) => setTimeout(resolve, 100));
          if (isIdle === effects.length) await skipWaiting('true');
          return (await jobsLeft()).length;
        },
        { message: 'the jobs to end' },
      )
      .toBe(0);
    expect(isLost()).toBe(true);
    expect(effects).toEqual(expect.arrayContaining(['done', 'failed']));
    expect(await letters()).toHaveLength(1);
    expect((await letters())[0]).toMatchObject({ args: { fails: true } });
  });

  it('in every transaction of the server ends, too', async () => {
    const effects: string[] = [];
    const jobs = await startOver(db, effects);
    for (let n = 0; n < 40; n++) {
      await send({ fails: n % 2 === 0 });
      jobs.wake();
      await db.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    }
    await expect
      .poll(async () => {
        const idle = effects.length;
        await new Promise((resolve) => setTimeout(resolve, 300));
        if (idle === effects.length) await skipWaiting('true');
        return (await jobsLeft()).length;
      })
      .toBe(0);
    expect(await letters()).toHaveLength(20);
    expect(effects.filter((effect) => effect === 'done').length).toBeGreaterThanOrEqual(20);
  });
});

describe('a dead letter that cannot be written', () => {
  it('is tried again, does not delay others, and is written once by several processes', async () => {
    let failures = 3;
    const errors: string[] = [];
    const start = () =>
      startJobs(
        db,
        {
          errand: async () => {
            throw new SeineError('corrupt', 'broken');
          },
        },
        {
          onError: (message) => errors.push(message),
          writeDeadLetter: async (tx, _queue, args, reason) => {
            await tx.query('insert into letter (args, reason) values ($1, $2)', [
              JSON.stringify(args),
              reason,
            ]);
            if ((args as { n: number }).n === 0 && failures-- > 0) throw new Error('the table is full');
          },
        },
      );
    for (const jobs of await Promise.all([start(), start(), start()])) stops.push(() => jobs.stop());
    for (let n = 0; n < 10; n++) await send({ n });
    await expect
      .poll(async () => {
        await db.query(`update job set run_at = clock() where state = 'exhausted' and run_at > clock()`);
        return (await jobsLeft()).length;
      })
      .toBe(0);
    expect(errors).toEqual(Array(3).fill('dead letter of job errand: the table is full'));
    const written = (await letters()).map(({ args }) => (args as { n: number }).n).sort((a, b) => a - b);
    expect(written).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
