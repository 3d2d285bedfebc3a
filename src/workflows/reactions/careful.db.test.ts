/** Careful mode: after claims without progress, attempts are counted before they are made. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { faultyDatabase, losingAnswers } from '../../../test/support/faulty-database.ts';
import { repeatWhile } from '../../../test/support/wait-for.ts';
import { settledLog } from '../../../test/support/workflows/settled-log.ts';
import { SeineError } from '../../base/errors.ts';
import { type Database, many, one } from '../../db/database.ts';
import { handleCommands } from '../commands/handle.ts';
import { PartitionAssignment, PartitionLost } from '../partitions/partition-assignment.ts';
import { type ErrandOptions, errand } from '../runner/errand.fixture.ts';
import { ReactionConflict } from './reaction-store.ts';
import { Reactor } from './reactor.ts';

let db: Database & { url: string };
let name = '';
let tests = 0;
beforeAll(async () => {
  db = await freshDatabase(6);
});
afterAll(() => db.close());
beforeEach(() => {
  name = `careful${tests++}`;
});

const tenant = 'default';
const outage = () => new SeineError('unavailable', 'The connection was lost.', { retry: true });

function stepRunner(options: ErrandOptions & { on?: Database; budgetMs?: number } = {}) {
  const { on = db, budgetMs = 1000 } = options;
  const assignment = new PartitionAssignment(on, {
    workflow: name,
    version: 1,
    holder: randomUUID(),
    ttlMs: 60_000,
    partition: null,
  });
  const limits = { maxEvents: 1000, parkAfter: 3, maxStates: 100, budgetMs, onParked: () => {} };
  return { assignment, reactor: new Reactor(on, errand({ ...options, name }), assignment, limits) };
}

async function run(...ids: string[]): Promise<void> {
  const commands = ids.map((id) => ({ tenant, id, command: { type: 'run', n: 1 } as never }));
  await handleCommands(db, errand({ name }), commands);
  await settledLog(db);
}

/** As after claims of all its partitions by processes that crashed. */
async function suspect(assignment: PartitionAssignment): Promise<void> {
  await db.query(
    'update range_lease as lease set claims_since_progress = 3 from reader where lease_id = lease.id and workflow = $1',
    [name],
  );
  await assignment.reread();
}

const standings = () =>
  many<{ version: number; attempts: number; parked: boolean }>(
    db,
    `select reaction.version, attempts, parked_at is not null as parked, error
     from reaction join workflow on key = workflow_key where name = $1 order by key`,
    [name],
  );

const actions = async () =>
  (await one<{ n: number }>(db, 'select count(*) as n from action where workflow = $1', [name])).n;

describe('an attempt counted in advance', () => {
  it('is taken back when the answer to the count was lost: no number of them parks its workflow', async () => {
    let isFaulty = true;
    const on = losingAnswers(db, (sql) => isFaulty && sql.includes('reaction.attempts + 1'));
    const { assignment, reactor } = stepRunner({ on });
    await assignment.sync();
    await run('a');
    await suspect(assignment);
    for (let n = 0; n < 7; n++) await expect(reactor.round()).rejects.toThrow('The connection was lost.');
    isFaulty = false;
    await reactor.round();
    expect(await standings()).toEqual([{ version: 1, attempts: 0, parked: false, error: null }]);
    expect(await actions()).toBe(1);
  });

  it.each([
    ['an outage', outage],
    ['a lost partition', () => new PartitionLost()],
    ['a conflict with another runner', () => new ReactionConflict()],
  ])('is taken back after %s: no number of them parks its workflow', async (_, error) => {
    let isFaulty = false;
    const on = faultyDatabase(db, async (_n, connection) => {
      if (isFaulty && 'transaction' in connection) throw error();
    });
    const { assignment, reactor } = stepRunner({ on });
    await assignment.sync();
    await run('a', 'a');
    await suspect(assignment);
    expect(reactor.isCareful).toBe(true);
    isFaulty = true;
    for (let n = 0; n < 6; n++) {
      await expect(reactor.round()).rejects.toThrow(error().message);
      reactor.reset();
      await assignment.reread();
    }
    expect(await standings()).toEqual([{ version: 0, attempts: 0, parked: false, error: null }]);
    isFaulty = false;
    await repeatWhile('reactions', async () => (await reactor.round()).events > 0);
    expect(await standings()).toMatchObject([{ version: 2, attempts: 0, parked: false }]);
  });

  it('is taken back once the database is reachable again, when it was not before', async () => {
    let isDown = false;
    const on = faultyDatabase(db, async (_, connection) => {
      isDown ||= 'transaction' in connection && counted(await standings());
      if (isDown) throw outage();
    });
    const { assignment, reactor } = stepRunner({ on });
    await assignment.sync();
    await run('a');
    await suspect(assignment);
    for (let n = 0; n < 6; n++) {
      await expect(reactor.round()).rejects.toThrow('The connection was lost.');
      expect(await standings()).toMatchObject([{ attempts: 1 }]);
      isDown = false;
      await assignment.reread();
    }
  });

  it('remains counted when the reaction itself failed', async () => {
    const { assignment, reactor } = stepRunner({
      reacting: () => {
        throw new Error('not yet');
      },
    });
    await assignment.sync();
    await run('a');
    await suspect(assignment);
    await reactor.round();
    expect(await standings()).toMatchObject([{ version: 0, attempts: 1, parked: false }]);
  });
});

describe('a careful round', () => {
  it('without events in suspect partitions clears the suspicion, and reacts to the others together', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `w${n}`);
    let transactions = 0;
    const on: Database = { ...db, tx: (work) => db.tx(work, transactions++ as never) };
    const { assignment, reactor } = stepRunner({ on });
    await run('before');
    await assignment.sync();
    await reactor.advanceIdle();
    await run(...ids);
    await suspect(assignment);
    await db.query(
      `update range_lease as lease set claims_since_progress = 0 from reader
       where lease_id = lease.id and reader.workflow = $1 and part in (select mod(hash, 256) from workflow where name = $1)`,
      [name],
    );
    await assignment.reread();
    transactions = 0;
    await repeatWhile('reactions', async () => (await reactor.round()).events > 0);
    expect(await actions()).toBe(21);
    expect(reactor.isCareful).toBe(false);
    expect(transactions).toBeLessThan(5);
  });

  it('stops at its time limit, between workflows and between events; the rest follows in the next rounds', async () => {
    const { assignment, reactor } = stepRunner({ budgetMs: 0 });
    await assignment.sync();
    await run('a', 'a', 'a', 'b');
    await db.query(
      `insert into reaction (workflow_key, version, retry_at) select key, 0, clock() from workflow where name = $1`,
      [name],
    );
    await suspect(assignment);
    const done: number[] = [];
    for (let rounds = 0; rounds < 10; rounds++) {
      await suspect(assignment);
      await reactor.round();
      done.push(await actions());
    }
    expect(done.slice(0, 4)).toEqual([1, 2, 3, 4]);
  });
});

function counted(rows: readonly { attempts: number }[]): boolean {
  return rows.some(({ attempts }) => attempts > 0);
}
