/** What older code must not do with workflows that newer code has written to, and what it may continue. */
import { describe, expect, it } from 'vitest';
import { many, one } from '../../db/database.ts';
import { WorkflowClient } from '../client.ts';
import { handleCommands, throwIfFailed } from '../commands/handle.ts';
import { replay, simulate } from '../simulate.ts';
import {
  bill,
  calls,
  callsOf,
  db,
  events,
  finished,
  forgetCalls,
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

describe('code of version 1 and a workflow with events of version 2', () => {
  it('it neither decides nor evolves: the client gets an error with both versions', async () => {
    await send(2, 'a');
    forgetCalls();
    const [outcome] = await send(1, 'a', { type: 'remind' });
    expect(callsOf(1)).toEqual([]);
    const both = `${name} a needs version 2 of its code; this process has version 1`;
    expect(() => throwIfFailed(outcome!, name, 'a')).toThrow(both);
    expect(() => throwIfFailed(outcome!, name, 'a')).toThrow(
      expect.objectContaining({ kind: 'conflict', retry: false }),
    );
    const client = new WorkflowClient(db);
    await expect(client.state(bill(1), 'a')).rejects.toThrow(both);
    await expect(simulate(db, bill(1), 'default', 'a', { type: 'remind' })).rejects.toThrow(both);
    await expect(replay(db, bill(1), 'default', 'a')).rejects.toThrow(both);
    expect(callsOf(1)).toEqual([]);
  });

  it('the other commands of a batch are handled', async () => {
    await send(2, 'a');
    const outcomes = await handleCommands(
      db,
      bill(1),
      ['a', 'b'].map((id) => ({ tenant: 'default', id, command: { type: 'bill' } })),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['failed', 'accepted']);
  });

  it('a runner does not react, other workflows continue, and version 2 reacts once and in order', async () => {
    await run(1);
    await send(2, 'a');
    await send(2, 'a', { type: 'remind' });
    await neighbourServed('b');
    expect(callsOf(1).filter((call) => call.includes('in cents') || call.endsWith('of a'))).toEqual([]);
    expect(await reacted('a')).toBe(0);
    await stopAll();
    forgetCalls();
    await run(2);
    await finished('a');
    expect(callsOf(2).filter((call) => call.startsWith('2 pay'))).toEqual(['2 pay 700 asked by 2']);
    expect(callsOf(2).filter((call) => call.startsWith('2 react'))).toHaveLength((await events('a')).length);
    expect(await one(db, 'select count(*) as n from deferred_reaction where workflow = $1', [name])).toEqual({
      n: 0,
    });
  });

  it('its messages and timers stay due and no attempt is counted', async () => {
    await send(2, 'a');
    await run(1);
    await signal('a', { type: 'remind' });
    await neighbourServed('b');
    await neighbourServed('c');
    expect(await events('a')).toEqual(['due']);
    const waiting = await many(
      db,
      'select attempts, error, parked_at, due_at <= clock() as due from message where workflow = $1',
      [name],
    );
    expect(waiting).toEqual([{ attempts: 0, error: null, parked_at: null, due: true }]);
    await run(2);
    await until('both', async () => (await events('a')).filter((type) => type === 'reminded').length === 2);
    await finished('a');
  });

  it('300 such messages in front do not delay one of another workflow', async () => {
    await send(2, 'a');
    for (let n = 0; n < 300; n++) await signal('a', { type: 'remind' });
    await run(1);
    await signal('b', { type: 'remind' });
    await until('the neighbour', async () => (await events('b')).length === 1);
    expect(await events('a')).toEqual(['due']);
  });

  it('an action that version 2 requested is left to version 2, even if all events are of version 1', async () => {
    await send(1, 'a');
    await run(2, { actionsAtOnce: 0 });
    await until('the action', async () => (await reacted('a')) >= 1);
    await stopAll();
    await run(1);
    await neighbourServed('b');
    expect(callsOf(1).filter((call) => call.includes('asked by 2'))).toEqual([]);
    await run(2);
    await finished('a');
    expect(calls.filter((call) => call.endsWith('asked by 2'))).toEqual(['2 pay 700 asked by 2']);
  });

  it('an event that it receives is left to version 2', async () => {
    await send(2, 'a', { type: 'listen', on: 'b' });
    await run(2);
    await until('the subscription', async () => (await reacted('a')) === 1);
    await stopAll();
    forgetCalls();
    await run(1);
    await neighbourServed('b');
    expect(callsOf(1).filter((call) => call.startsWith('1 receive'))).toEqual([]);
    await run(2);
    await until('the event to be heard', () => calls.includes('2 receive of schema 1'));
  });

  it('what version 2 has written waits after a return to version 1, and everything else continues', async () => {
    await send(2, 'a');
    await send(1, 'b');
    await run(2);
    await finished('a');
    await stopAll();
    forgetCalls();
    await run(1);
    await send(2, 'a', { type: 'remind' });
    await neighbourServed('c');
    expect(callsOf(1).filter((call) => call.includes('in cents') || call.endsWith('of a'))).toEqual([]);
    expect(await reacted('a')).toBeLessThan((await events('a')).length);
  });
});
