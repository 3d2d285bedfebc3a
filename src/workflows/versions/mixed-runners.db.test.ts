/** Runners of several versions at once: who holds what, and what an operator sees. */
import { describe, expect, it } from 'vitest';
import { many, one } from '../../db/database.ts';
import { partitionOf } from '../../events/hash.ts';
import { handleCommands } from '../commands/handle.ts';
import { describeWorkflow } from '../queries/describe-workflow.ts';
import { partitionStatus } from '../queries/partition-status.ts';
import { readRemainingWork } from '../queries/partition-store.ts';
import type { Runner } from '../runner/runner.ts';
import {
  address,
  bill,
  callsOf,
  db,
  events,
  finished,
  name,
  neighbourServed,
  reacted,
  run,
  send,
  signal,
  stopAll,
  until,
  useBills,
} from './bill.fixture.ts';

useBills();

describe('runners of versions 1 and 2 together', () => {
  const held = async (runner: Runner) =>
    (
      await one<{ n: number }>(
        db,
        `select count(*) as n from range_lease where holder = $1 and state = 'held' and expires_at >= clock()`,
        [runner.id],
      )
    ).n;
  const holderOf = async (part: number) =>
    (
      await many<{ holder: string }>(
        db,
        `select holder from reader_offset join range_lease as lease on lease.id = lease_id where workflow = $1 and part = $2 and state = 'held' and expires_at >= clock()`,
        [name, part],
      )
    )[0]?.holder;

  it('a slot with such a workflow goes to version 2 and stays there; the others are shared', async () => {
    const old = await run(1);
    const newer = await run(2);
    await until(
      'the slots to be shared',
      async () => (await held(old)) === 128 && (await held(newer)) === 128,
    );
    const ids = Array.from({ length: 40 }, (_, n) => `w${n}`);
    for (const id of ids) await send(2, id);
    for (const id of ids) await finished(id);
    expect(callsOf(1)).toEqual([]);
    const needy = await many<{ part: number }>(
      db,
      'select part from reader where workflow = $1 and needs_version = 2',
      [name],
    );
    expect(needy.length).toBeGreaterThan(0);
    for (const { part } of needy) expect(await holderOf(part)).toBe(newer.id);
    await until('all slots to be held', async () => (await held(old)) + (await held(newer)) === 256);
    expect(await held(old)).toBeGreaterThan(0);
  });

  it('with workflows of version 2 in all slots it holds them all', async () => {
    const old = await run(1);
    const ids = Array.from({ length: 3000 }, (_, n) => `w${n}`);
    await handleCommands(
      db,
      bill(2),
      ids.map((id) => ({ tenant: 'default', id, command: { type: 'bill' } })),
    );
    await until(
      'all slots to wait',
      async () =>
        (
          await one<{ n: number }>(
            db,
            'select count(*) as n from reader where workflow = $1 and needs_version = 2',
            [name],
          )
        ).n === 256,
    );
    const newer = await run(2);
    await until('all slots', async () => (await held(newer)) === 256 && (await held(old)) === 0);
  });

  it('a fixed partition goes to a stand-by of version 2', async () => {
    const partition = { index: 0, total: 1 };
    const old = await run(1, { partition });
    await until('the first to hold it', async () => (await holderOf(0)) === old.id);
    const newer = await run(2, { partition });
    await send(2, 'a');
    await finished('a');
    expect(await holderOf(0)).toBe(newer.id);
    await newer.stop(0); // back to what there is
    await until('the old one', async () => (await holderOf(0)) === old.id);
    await neighbourServed('b');
    await run(2, { partition });
    await until(
      'version 2 again',
      async () => (await holderOf(0)) !== old.id && (await holderOf(0)) !== undefined,
    );
  });

  it('of a partition that version 2 does not run, version 1 keeps what it can do', async () => {
    await run(1, { partition: { index: 0, total: 2 } });
    const other = await run(1, { partition: { index: 1, total: 2 } });
    await run(2, { partition: { index: 0, total: 2 } });
    const idOf = (part: number) =>
      Array.from({ length: 50 }, (_, n) => `w${n}`).find((id) => partitionOf(id, 2) === part)!;
    await send(2, idOf(1));
    await send(2, idOf(0));
    await finished(idOf(0));
    expect(await holderOf(1)).toBe(other.id);
    expect(await reacted(idOf(1))).toBe(0);
  });

  it('due messages alone bring the slot to version 2', async () => {
    await send(2, 'a');
    await run(2);
    await finished('a');
    await stopAll();
    await run(1);
    await db.query('update reader set needs_version = 1 where workflow = $1', [name]); // as after another layout
    await signal('a', { type: 'remind' });
    await neighbourServed('b');
    await run(2);
    await until(
      'the message',
      async () => (await events('a')).filter((type) => type === 'reminded').length === 2,
    );
  });

  it('for a runner until it is idle, what needs newer code is nothing that is left', async () => {
    await run(1, { actionsAtOnce: 0 });
    await send(2, 'a');
    await signal('a', { type: 'remind' });
    await until(
      'it to be deferred',
      async () => (await describeWorkflow(db, address('a'))).head.deferredSince !== null,
    );
    const left = (version: number) => readRemainingWork(db, [name], null, [version]);
    await until('the rest to be read', async () => !Object.values(await left(1)).some(Boolean));
    expect(await left(2)).toMatchObject({ reactions: true, messages: true });
    expect((await describeWorkflow(db, address('a'))).head.needsVersion).toBe(2);
  });

  it('the status shows the versions, and how many workflows wait for which', async () => {
    await run(1);
    await send(2, 'a');
    await send(2, 'b');
    await neighbourServed('c');
    const status = await partitionStatus(db, name);
    expect(status.runners).toMatchObject([{ versions: [1] }]);
    expect(status.workflows[0]!.waitingForCode).toEqual([{ version: 2, workflows: 2, runners: 0 }]);
    await run(2);
    await finished('a');
    await finished('b');
    expect((await partitionStatus(db, name)).workflows[0]!.waitingForCode).toEqual([]);
  });
});
