import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { settledLog } from '../../../test/support/workflows/settled-log.ts';
import { type Database, many, one } from '../../db/database.ts';
import { handleCommands } from '../commands/handle.ts';
import { describeWorkflow } from '../queries/describe-workflow.ts';
import { readRemainingWork } from '../queries/partition-store.ts';
import { errand } from '../runner/errand.fixture.ts';
import { startRunner } from '../runner/runner.ts';
import type { ArchivedEvent } from './archive-store.ts';
import { type PurgeOptions, purgeWorkflows } from './purge.ts';
import { RetentionJob } from './retention.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(12);
});
afterAll(() => db.close());

const tenant = 'default';
let name = '';
let round = 0;
beforeEach(() => {
  name = `purge-${round++}`;
});

async function settle(): Promise<void> {
  const runner = await startRunner(db, { workflows: [errand({ name })], leaseMs: 60_000, pollMs: 20 });
  await waitUntil(
    'all work of the workflows',
    async () => !Object.values(await readRemainingWork(db, [name], null)).some(Boolean),
  );
  await runner.stop(0);
  await settledLog(db);
}

/** Each with two actions; those that end have done so. */
async function begin(ids: readonly string[], { end }: { end: boolean }): Promise<void> {
  const run = (id: string, n: number) => ({
    tenant,
    id,
    command: { type: 'run' as const, n },
    commandId: `run-${n}`,
  });
  const workflow = errand({ name });
  await handleCommands(
    db,
    workflow,
    ids.flatMap((id) => [run(id, 1), run(id, 2)]),
  );
  await settle();
  if (!end) return;
  await handleCommands(
    db,
    workflow,
    ids.map((id) => ({ tenant, id, command: { type: 'end' } })),
  );
  await settle();
}

const purge = (more: Partial<PurgeOptions> = {}) =>
  purgeWorkflows(db, { tenant, workflow: name, olderThanMs: -60_000, ...more });

function rows(): Promise<{ events: number; actions: number; reactions: number; purged: number }> {
  return one(
    db,
    `select (select count(*) from event where workflow = $1) as events,
            (select count(*) from action where workflow = $1) as actions,
            (select count(*) from reaction join workflow on key = workflow_key where name = $1) as reactions,
            (select count(*) from workflow where name = $1 and purged_at is not null) as purged`,
    [name],
  );
}

describe('the purge of ended workflows', () => {
  it('leaves of them their heads and the ids of their commands', async () => {
    await begin(['a', 'b'], { end: true });
    expect(await purge()).toEqual({ workflows: 2, events: 10, actions: 4, next: null });
    expect(await rows()).toEqual({ events: 0, actions: 0, reactions: 0, purged: 2 });
    const again = { tenant, id: 'a', command: { type: 'run' as const, n: 1 } };
    const [repeated, other] = await handleCommands(db, errand({ name }), [
      { ...again, commandId: 'run-1' },
      again,
    ]);
    expect(repeated).toMatchObject({ outcome: 'repeated', version: 5 });
    expect(other).toMatchObject({ outcome: 'rejected', reason: `${name} a is completed` });
    const { head } = await describeWorkflow(db, { tenant, workflow: name, id: 'a' });
    expect(head).toMatchObject({ version: 5, reacted: 5, purgedAt: expect.any(Date) });
    expect(await purge()).toEqual({ workflows: 0, events: 0, actions: 0, next: null });
  });

  it('only counts in a dry run', async () => {
    await begin(['a'], { end: true });
    const before = await rows();
    expect(await purge({ dryRun: true })).toMatchObject({ workflows: 1, events: 5, actions: 2 });
    expect(await rows()).toEqual(before);
  });

  it('leaves alone those that live, that are young, or that are of another kind or tenant', async () => {
    await begin(['lives'], { end: false });
    await begin(['ended'], { end: true });
    expect(await purge({ olderThanMs: 3_600_000 })).toMatchObject({ workflows: 0 });
    expect(await purge({ workflow: 'other' })).toMatchObject({ workflows: 0 });
    expect(await purge({ tenant: 'other' })).toMatchObject({ workflows: 0 });
    expect(await purge()).toMatchObject({ workflows: 1, events: 5 });
    expect((await rows()).events).toBe(4);
  });

  it('leaves alone the events of scans, which have a policy of their own', async () => {
    name = 'scan';
    await begin(['1'], { end: true });
    expect(await purge({ tenant: undefined, workflow: undefined })).toMatchObject({ next: null });
    expect(await rows()).toMatchObject({ events: 5, purged: 0 });
  });

  it('leaves alone what a reader has not read, and what a message is on its way to', async () => {
    await begin(['a'], { end: true });
    const { cursor } = await one<{ cursor: Buffer }>(
      db,
      `select max(cursor) as cursor from range_lease as lease join reader on lease_id = lease.id where workflow = $1`,
      [name],
    );
    const place = (to: Buffer) =>
      db.query(
        'update range_lease as lease set cursor = $2 from reader where lease_id = lease.id and workflow = $1',
        [name, to],
      );
    await place(Buffer.alloc(0));
    expect(await purge()).toMatchObject({ workflows: 0 });
    await place(cursor);
    await db.query(
      `insert into message (tenant, workflow, workflow_id, hash, body) values ('default', $1, 'a', 0, '{"type":"run"}')`,
      [name],
    );
    expect(await purge()).toMatchObject({ workflows: 0 });
    await db.query('delete from message where workflow = $1', [name]);
    expect(await purge()).toMatchObject({ workflows: 1 });
  });

  it('writes events to the archive first, and deletes none that could not be written', async () => {
    await begin(['a', 'b'], { end: true });
    await expect(purge({ write: () => Promise.reject(new Error('The disk is full.')) })).rejects.toThrow(
      'full',
    );
    expect(await rows()).toMatchObject({ events: 10, purged: 0 });
    const written: ArchivedEvent[] = [];
    await purge({ write: async (events) => void written.push(...events) });
    expect(written.map(({ id, version }) => `${id}${version}`)).toEqual(
      ['a', 'b'].flatMap((id) => [1, 2, 3, 4, 5].map((n) => `${id}${n}`)),
    );
    expect(Object.keys(written[0]!)).not.toContain('key');
    expect(await rows()).toMatchObject({ events: 0, purged: 2 });
  });

  it('can end at any step, and the next run does the rest', async () => {
    await begin(['a', 'b', 'c'], { end: true });
    for (let steps = 0; (await rows()).purged < 3; steps++) {
      expect(steps).toBeLessThan(20);
      let left = 1; // one step of each run is written, the next one breaks off in its transaction
      const within: PurgeOptions['within'] = (work) =>
        db.tx(async (tx) => {
          const done = await work(tx);
          if (left-- === 0) throw new Error('killed');
          return done;
        });
      await purge({ within }).catch((error: Error) => expect(error.message).toBe('killed'));
    }
    expect(await rows()).toEqual({ events: 0, actions: 0, reactions: 0, purged: 3 });
  });

  it('may be done by several processes at the same time', async () => {
    await begin(
      Array.from({ length: 30 }, (_, n) => `w${n}`),
      { end: true },
    );
    const all = await Promise.all([purge(), purge(), purge()]);
    expect(all.reduce((sum, { workflows }) => sum + workflows, 0)).toBe(30);
    expect(all.reduce((sum, { events }) => sum + events, 0)).toBe(150);
    expect(await rows()).toEqual({ events: 0, actions: 0, reactions: 0, purged: 30 });
  });
});

it('a workflow is not marked as purged when another process has purged those whose events were written', async () => {
  await begin(['a'], { end: false });
  await db.query(
    `insert into event (workflow_key, version, workflow, slot, hash, type, schema, data)
     select key, v, name, mod(hash, 256), hash, 'noted', 1, '{}' from workflow, generate_series(5, 1000) v where name = $1`,
    [name],
  );
  await db.query('update workflow set version = 1000 where name = $1', [name]);
  await begin(['a', 'b'], { end: true });
  await db.query('delete from action where workflow = $1', [name]);
  let pages = 0;
  const write = async (events: readonly ArchivedEvent[]) => {
    if (pages++ > 0) return;
    expect(new Set(events.map(({ id }) => id))).toEqual(new Set(['a']));
    await db.query(`delete from event using workflow where key = workflow_key and name = $1 and id = 'a'`, [
      name,
    ]);
    await db.query(`update workflow set purged_at = clock() where name = $1 and id = 'a'`, [name]);
  };
  expect(await purge({ write })).toMatchObject({ workflows: 1 });
  expect(await rows()).toMatchObject({ events: 0, purged: 2 });
});

describe('retention', () => {
  const commandIds = () =>
    many(db, 'select 1 from handled_command join workflow on key = workflow_key where name = $1', [name]);

  it('purges ended workflows and forgets command ids, each when its own time is over', async () => {
    await begin(['a'], { end: true });
    await new RetentionJob(db, { endedWorkflowsMs: null, commandIdsMs: null }).round(db.tx, 10_000);
    expect(await rows()).toMatchObject({ purged: 0 });
    await new RetentionJob(db, { endedWorkflowsMs: -60_000, commandIdsMs: null }).round(db.tx, 10_000);
    expect(await rows()).toMatchObject({ events: 0, purged: 1 });
    expect(await commandIds()).toHaveLength(2);
    await new RetentionJob(db, { endedWorkflowsMs: null, commandIdsMs: -60_000 }).round(db.tx, 10_000);
    expect(await commandIds()).toEqual([]);
  });

  it('stops with a process that may not continue', async () => {
    await begin(['a'], { end: true });
    await new RetentionJob(db, { endedWorkflowsMs: -60_000, commandIdsMs: -60_000 }).round(
      async () => null,
      10_000,
    );
    expect(await rows()).toMatchObject({ purged: 0 });
  });
});
