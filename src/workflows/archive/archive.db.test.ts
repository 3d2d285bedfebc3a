import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { settledLog } from '../../../test/support/workflows/settled-log.ts';
import { type Database, many } from '../../db/database.ts';
import { handleCommands } from '../commands/handle.ts';
import { cancelWorkflow } from '../control/control.ts';
import { continueAsNew } from '../decision.ts';
import type { AnyWorkflow } from '../define.ts';
import { defineWorkflow } from '../define.ts';
import { openPartitioning } from '../partitions/partitioning.ts';
import { readRemainingWork } from '../queries/partition-store.ts';
import { errand } from '../runner/errand.fixture.ts';
import { startRunner } from '../runner/runner.ts';
import { replay } from '../simulate.ts';
import { type ArchiveOptions, archiveEvents } from './archive.ts';
import type { ArchivedEvent } from './archive-store.ts';

let db: Database & { url: string };
beforeAll(async () => {
  db = await freshDatabase(12);
});
afterAll(() => db.close());

const tenant = 'default';
const DAY = 86_400_000;
const command = (id: string, body: object) => ({ tenant, id, command: body as never });

/** Sums; `anew` continues as new with the sum. */
const ledger = defineWorkflow<{ sum: number }, { type: 'add' } | { type: 'anew' }, { type: 'added' }>({
  name: 'ledger',
  initial: () => ({ sum: 0 }),
  decide: (state, { type }) => (type === 'anew' ? continueAsNew(state) : { type: 'added' }),
  evolve: ({ sum }) => ({ sum: sum + 1 }),
});

let written: ArchivedEvent[];
beforeEach(() => {
  written = [];
});

function archive(workflow: string, more: Partial<ArchiveOptions> = {}) {
  const write = async (events: readonly ArchivedEvent[]) => void written.push(...events);
  return archiveEvents(db, { tenant, workflow, olderThanMs: DAY, delete: true, write, ...more });
}

/** Reacts, delivers and acts until nothing is left. */
async function settle(workflow: AnyWorkflow): Promise<void> {
  const runner = await startRunner(db, { workflows: [workflow], leaseMs: 60_000, pollMs: 20 });
  const left = () => readRemainingWork(db, [workflow.name], null);
  await waitUntil('all work of the workflows', async () => !Object.values(await left()).some(Boolean));
  await runner.stop(0);
}

/** As if its readers had read everything. */
async function passAll(workflow: string): Promise<void> {
  await settledLog(db);
  await db.query(
    `update range_lease as lease set cursor = decode(lpad(to_hex(pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1), 16, '0') || '7fffffffffffffff', 'hex')
     from reader where reader.lease_id = lease.id and reader.workflow = $1`,
    [workflow],
  );
}

async function age(workflow: string): Promise<void> {
  await db.query(`update workflow set changed_at = changed_at - interval '2 days' where name = $1`, [
    workflow,
  ]);
  await db.query(`update event set at = at - interval '2 days' where workflow = $1`, [workflow]);
}

const versions = async (workflow: string) =>
  (
    await many<{ id: string; version: number }>(
      db,
      `select id, event.version from event join workflow on key = workflow_key where workflow = $1 order by id, event.version`,
      [workflow],
    )
  ).map(({ id, version }) => `${id}${version}`);

describe('events of workflows that ended', () => {
  const workflow = errand({ name: 'ended' });
  beforeAll(async () => {
    await handleCommands(db, workflow, [
      command('a', { type: 'run', n: 1 }),
      command('b', { type: 'run', n: 1 }),
      command('b', { type: 'end' }),
    ]);
    await settle(workflow);
    await handleCommands(db, workflow, [command('a', { type: 'run', n: 2 })]);
    await settle(workflow);
  });

  it('stay while their time has not come, and while a reader has not passed them', async () => {
    expect(await archive('ended')).toMatchObject({ workflows: 0, events: 0 });
    await age('ended');
    await db.query(
      `update range_lease as lease set cursor = '' from reader where lease_id = lease.id and workflow = 'ended'`,
    );
    expect(await archive('ended')).toMatchObject({ workflows: 0, events: 0 });
    await passAll('ended');
  });

  it('stay while something is on its way to them', async () => {
    await db.query(
      `insert into message (tenant, workflow, workflow_id, hash, body) values ($1, 'ended', 'b', 0, '{}')`,
      [tenant],
    );
    expect(await archive('ended')).toMatchObject({ workflows: 0 });
    await db.query(`delete from message where workflow = 'ended'`);
  });

  it('are only counted, or only written, by default', async () => {
    expect(await archive('ended', { dryRun: true })).toMatchObject({ workflows: 1, events: 2, deleted: 0 });
    expect(written).toEqual([]);
    expect(await archive('ended', { delete: false })).toMatchObject({ workflows: 1, events: 2, deleted: 0 });
    expect(written.map(({ id, version, type }) => [id, version, type])).toEqual([
      ['b', 1, 'asked'],
      ['b', 2, 'ended'],
    ]);
    expect(await versions('ended')).toContain('b1');
  });

  it('are not deleted when they could not be written', async () => {
    const write = () => Promise.reject(new Error('the disk is full'));
    await expect(archive('ended', { write })).rejects.toThrow('the disk is full');
    expect(await versions('ended')).toContain('b1');
  });

  it('are written and deleted, those of others stay, and the next run finds nothing', async () => {
    expect(await archive('ended')).toMatchObject({ workflows: 1, events: 2, deleted: 2 });
    expect(await versions('ended')).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect(await archive('ended')).toMatchObject({ workflows: 0, events: 0 });
    const [again] = await handleCommands(db, workflow, [command('b', { type: 'run', n: 9 })]);
    expect(again).toMatchObject({ outcome: 'rejected', reason: 'ended b is completed' });
  });

  it('are archived if cancelled, even without reactions', async () => {
    await handleCommands(db, workflow, [command('c', { type: 'run', n: 1 })]);
    await cancelWorkflow(db, { tenant, workflow: 'ended', id: 'c' });
    await age('ended');
    expect(await archive('ended')).toMatchObject({ workflows: 0 });
    await passAll('ended');
    expect(await archive('ended')).toMatchObject({ workflows: 1, deleted: 2 });
  });
});

describe('events before a new beginning', () => {
  beforeAll(async () => {
    const three = Array.from({ length: 3 }, () => command('a', { type: 'add' }));
    await handleCommands(db, ledger, [
      ...three,
      command('a', { type: 'anew' }),
      command('a', { type: 'add' }),
    ]);
    await openPartitioning(db, 'ledger', { mode: 'slots' });
    await age('ledger');
  });

  it('stay until they were reacted to and read', async () => {
    await passAll('ledger');
    expect(await archive('ledger')).toMatchObject({ workflows: 0 });
  });

  it('go, and the state is the same as before', async () => {
    await db.query(
      `update range_lease as lease set cursor = '' from reader where lease_id = lease.id and workflow = 'ledger'`,
    );
    await settle(ledger);
    expect(await archive('ledger')).toMatchObject({ workflows: 1, events: 3, deleted: 3 });
    expect(await versions('ledger')).toEqual(['a4', 'a5']);
    expect(await replay(db, ledger, tenant, 'a')).toEqual({ version: 5, state: { sum: 4 } });
    await expect(replay(db, ledger, tenant, 'a', 2)).rejects.toThrow('was archived');
    expect(await archive('ledger')).toMatchObject({ workflows: 0 });
    const [more] = await handleCommands(db, ledger, [command('a', { type: 'add' })]);
    expect(more).toMatchObject({ outcome: 'accepted', version: 6 });
  });
});

it('interrupted between two pages leaves a workflow that still works', async () => {
  const list = defineWorkflow<number[] | null, { type: 'open' | 'add' | 'anew' }, { type: string }>({
    name: 'list',
    initial: () => null,
    decide: (state, { type }) => (type === 'anew' ? continueAsNew(state) : { type }),
    evolve: (state, { type }) => (type === 'open' ? [] : [state!.length]),
    snapshotEvery: 10_000,
  });
  const types = ['open', ...Array(1100).fill('add'), 'anew', 'add'];
  await handleCommands(
    db,
    list,
    types.map((type) => command('a', { type })),
  );
  await settle(list);
  await passAll('list');
  await age('list');
  const write = async () => {
    if (written.push({} as ArchivedEvent) === 2) throw new Error('the disk is full');
  };
  await expect(archive('list', { write })).rejects.toThrow('the disk is full');
  expect(await versions('list')).toHaveLength(103);
  expect(await replay(db, list, tenant, 'a')).toEqual({ version: 1103, state: [1] });
  const [more] = await handleCommands(db, list, [command('a', { type: 'add' })]);
  expect(more).toMatchObject({ outcome: 'accepted', version: 1104 });
  await settle(list);
  expect(await archive('list')).toMatchObject({ events: 101, deleted: 101 });
  expect(await replay(db, list, tenant, 'a')).toEqual({ version: 1104, state: [1] });
});

it('skips a workflow type that has never been read', async () => {
  const workflow = errand({ name: 'unread' });
  await handleCommands(db, workflow, [command('a', { type: 'run', n: 1 })]);
  await cancelWorkflow(db, { tenant, workflow: 'unread', id: 'a' });
  await age('unread');
  expect(await archive('unread')).toEqual({ workflows: 0, events: 0, deleted: 0, unread: ['unread'] });
});
