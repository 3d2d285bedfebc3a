import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movableClock } from '../../../test/support/clock.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { type Database, one } from '../../db/database.ts';
import { type RunAsLeader, startLeader } from './leader.ts';

let db: Database;
let later: (ms: number) => Promise<void>;
beforeAll(async () => {
  db = await freshDatabase(10);
  later = await movableClock(db);
  await db.query('create table written (who text, at timestamptz default now())');
});
afterAll(() => db.close());

const TTL_MS = 90;
const HOUR = 3_600_000;

function candidate(
  _name: string,
  more: { ttlMs?: number; duties?: (lead: RunAsLeader) => Promise<void> } = {},
) {
  const duties = more.duties ?? (async () => {});
  return startLeader(db, { worker: randomUUID(), ttlMs: more.ttlMs ?? TTL_MS, everyMs: 1, duties });
}

const write = (who: string) => (lead: RunAsLeader) =>
  lead(async (tx) => void (await tx.query('insert into written (who) values ($1)', [who]))).then(() => {});

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  await waitUntil(String(done), async () => await done());
}

/** Remaining duration of the leader's lease by the database's clock. */
async function leaseLeft(): Promise<number> {
  const sql =
    'select 1000 * extract(epoch from expires_at - clock())::float8 as ms from range_lease where holder is not null';
  return (await one<{ ms: number }>(db, sql)).ms;
}

describe('leadership', () => {
  it('is with one of many', async () => {
    const all = ['a', 'b', 'c', 'd'].map((name) => candidate(name, { ttlMs: 30_000 }));
    await until(() => all.some((one) => one.isLeader));
    expect(all.filter((one) => one.isLeader)).toHaveLength(1);
    await Promise.all(all.map((one) => one.stop()));
  });

  it('is taken over at once after an orderly exit of the leader', async () => {
    const first = candidate('first', { ttlMs: 60_000 });
    await until(() => first.isLeader);
    await first.stop();
    const second = candidate('second', { ttlMs: 60_000 });
    await until(() => second.isLeader);
    await second.stop();
  });

  it('is kept while duties take longer than the lease', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let began = false;
    const busy = candidate('busy', {
      duties: async () => {
        began = true;
        await promise;
      },
    });
    await until(() => began);
    const rival = candidate('rival');
    for (let n = 0; n < 8; n++) {
      await later(TTL_MS / 2);
      await until(async () => (await leaseLeft()) === TTL_MS);
    }
    expect([busy.isLeader, rival.isLeader]).toEqual([true, false]);
    resolve();
    await Promise.all([busy.stop(), rival.stop()]);
  });

  it('a deposed leader can write nothing', async () => {
    const { promise: deposed, resolve } = Promise.withResolvers<void>();
    const answers: unknown[] = [];
    const old = candidate('old', {
      ttlMs: HOUR, // it will not check its lease before the test ends
      duties: async (lead) => {
        await deposed;
        answers.push(
          await lead(async (tx) => void (await tx.query(`insert into written (who) values ('old')`))),
        );
      },
    });
    await until(() => old.isLeader);
    await later(HOUR + 1000); // as if its process had been stopped for longer than its lease
    const young = candidate('young', { duties: write('young') });
    await until(() => young.isLeader);
    resolve();
    await until(() => answers.length > 0);
    expect(answers[0]).toBeNull();
    const { rows } = await db.query<{ who: string }>('select distinct who from written');
    expect(rows.map(({ who }) => who)).not.toContain('old');
    await Promise.all([old.stop(), young.stop()]);
  });
});
