import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase, hasLockWaiter } from '../../test/support/database.ts';
import { settledLog } from '../../test/support/workflows/settled-log.ts';
import { type Database, many, type Queryable } from '../db/database.ts';
import { openDatabase } from '../db/pool.ts';
import { type AppendRequest, appendEvents, MAX_EVENT_BYTES } from './append-store.ts';
import { hashOf, partitionOf, slotOf } from './hash.ts';
import { type Offset, START_OFFSET } from './offset.ts';
import { readPartition, readSlots, readVersionRanges, readWorkflow } from './read-store.ts';

let db: Database & { url: string };
let other: Database;
let name = '';
let tests = 0;
beforeAll(async () => {
  db = await freshDatabase(4);
  other = await openDatabase({ databaseUrl: db.url, max: 2 });
});
afterAll(async () => {
  await other.close();
  await db.close();
});
beforeEach(() => {
  name = `kind${tests++}`;
});

const event = (n: number) => ({ type: 'happened', data: { n } });

function append(id: string, key: number | null, expected: number, ...numbers: number[]): AppendRequest {
  return { tenant: 'default', workflow: name, id, key, expected, events: numbers.map(event) };
}

async function begin(id: string, ...numbers: number[]): Promise<number> {
  const [key] = await appendEvents(db, [append(id, null, 0, ...numbers)]);
  return key!;
}

const ofSlot = (id: string, offset: Offset = START_OFFSET) => [{ part: slotOf(hashOf(id)), offset }];
const limit = { each: 100, max: 1000 };

async function seen(id: string, offset: Offset = START_OFFSET): Promise<unknown[]> {
  await settledLog(db);
  return (await readSlots(db, name, ofSlot(id, offset), limit)).events.map(({ data }) => data.n);
}

describe('an append', () => {
  it('numbers the events of a workflow from 1', async () => {
    const key = await begin('a', 10, 11);
    expect(await appendEvents(db, [append('a', key, 2, 12)])).toEqual([key]);
    const history = await readWorkflow(db, key, 0, 10);
    expect(history.map(({ version, data }) => [version, data.n])).toEqual([
      [1, 10],
      [2, 11],
      [3, 12],
    ]);
  });

  it('is rejected on a version conflict, and writes nothing then', async () => {
    const key = await begin('a', 10);
    expect(await appendEvents(db, [append('a', key, 0, 1), append('b', null, 0, 2)])).toEqual([
      null,
      key + 1,
    ]);
    expect(await appendEvents(db, [append('a', null, 0, 3)])).toEqual([null]);
    expect(await seen('a')).toEqual([10]);
  });

  it('lets one of two that expect the same version through', async () => {
    const key = await begin('a', 10);
    const tries = [1, 2, 3, 4].map((n) => appendEvents(n % 2 ? db : other, [append('a', key, 1, n)]));
    const won = (await Promise.all(tries)).flat().filter((k) => k !== null);
    expect(won).toHaveLength(1);
    expect(await seen('a')).toHaveLength(2);
  });

  it('takes many workflows at once', async () => {
    const keys = await appendEvents(
      db,
      Array.from({ length: 500 }, (_, n) => append(`w${n}`, null, 0, n, n)),
    );
    expect(new Set(keys).size).toBe(500);
    expect(await readWorkflow(db, keys[77]!, 0, 10)).toHaveLength(2);
  });

  it('locks many in a fixed order, for any order of appends, so that there is no deadlock', async () => {
    const [low, high] = [await begin('low', 1), await begin('high', 1)];
    await appendEvents(db, [append('low', low, 1, 2)]); // its row is behind the other now
    const lock = (tx: Queryable, key: number) =>
      tx.query('select from workflow where key = $1 for no key update', [key]);
    let appending: Promise<(number | null)[]> | null = null;
    await db.tx(async (tx) => {
      await lock(tx, low);
      appending = appendEvents(other, [append('high', high, 1, 2), append('low', low, 2, 3)]);
      await hasLockWaiter(db);
      await lock(tx, high); // otherwise the server would abort one as a deadlock victim
    });
    expect(await appending).toEqual([high, low]);
  });

  it('refuses what is too large for a log, with a way out', async () => {
    const large = { type: 'large', data: { text: 'x'.repeat(MAX_EVENT_BYTES) } };
    const appending = appendEvents(db, [{ ...append('a', null, 0), events: [large] }]);
    await expect(appending).rejects.toMatchObject({ kind: 'limit', hint: expect.any(String) });
  });

  it('keeps tags and any character', async () => {
    const odd = { type: 'odd', data: { text: 'a\0b"\\{,}' }, tags: ['vip', 'a,b', '{"x"}'] };
    const [key] = await appendEvents(db, [{ ...append('a', null, 0), events: [odd] }]);
    const [read] = await readWorkflow(db, key!, 0, 1);
    expect(read).toMatchObject({ tags: odd.tags, data: { text: 'a\u2400b"\\{,}' } });
  });

  it('has no second effect under the same command', async () => {
    const once = { ...event(1), commandId: 'c1' };
    const key = (await appendEvents(db, [{ ...append('a', null, 0), events: [once] }]))[0]!;
    await expect(appendEvents(db, [{ ...append('a', key, 1), events: [once] }])).rejects.toMatchObject({
      code: '23505',
    });
  });
});

describe('a reader', () => {
  it('does not miss late commits: it never passes an open transaction', async () => {
    await begin('a', 0);
    await settledLog(db);
    const sawFirst: unknown[] = [];
    await db.tx(async (late) => {
      // One draws its position first, the other its transaction id: either order must be safe.
      await appendEvents(late, [append('late', null, 0, 1)]);
      await appendEvents(other, [append('early', null, 0, 2)]);
      const all = Array.from({ length: 256 }, (_, part) => ({ part, offset: START_OFFSET }));
      sawFirst.push(...(await readSlots(other, name, all, limit)).events.map(({ data }) => data.n));
    });
    expect(sawFirst).toEqual([0]);
    expect(await seen('late')).toEqual([1]);
    expect(await seen('early')).toEqual([2]);
  });

  it('sees both when the one with the later number has the earlier position', async () => {
    const positions = await db.tx(async (first) => {
      await first.query('select pg_current_xact_id()'); // the lower id, assigned before the other starts
      await appendEvents(other, [append('quick', null, 0, 1)]); // the lower position
      await appendEvents(first, [append('slow', null, 0, 2)]);
      return many<{ position: number }>(
        first,
        `select position from event where workflow = $1 order by xid`,
        [name],
      );
    });
    expect(positions[0]!.position).toBeGreaterThan(positions[1]!.position);
    await settledLog(db);
    const partition = { part: 0, offset: START_OFFSET };
    const [one] = (await readPartition(db, name, partition, 1, 1)).events;
    const { events: rest } = await readPartition(db, name, { part: 0, offset: one!.offset }, 1, 10);
    expect([one, ...rest].map((e) => e!.data.n)).toEqual([2, 1]);
  });

  it('knows that a transaction in progress may hide events from it', async () => {
    await settledLog(db);
    const hidden = await db.tx(async (tx) => {
      await tx.query('select pg_current_xact_id()');
      await begin('a', 1);
      const slots = await readSlots(other, name, ofSlot('a'), limit);
      const partition = await readPartition(other, name, { part: 0, offset: START_OFFSET }, 1, 10);
      return [slots, partition];
    });
    for (const read of hidden) expect(read).toMatchObject({ events: [], isSettled: false });
    await settledLog(db);
    const { events } = await readSlots(db, name, ofSlot('a'), limit);
    expect(events).toMatchObject([{ id: 'a', progress: { status: 'running', reacted: 0, waits: false } }]);
  });

  it('learns with the events that a reaction is due for a retry', async () => {
    const key = await begin('a', 1);
    const hasDue = async () => (await readSlots(db, name, ofSlot('quiet'), limit)).hasDue;
    expect(await hasDue()).toBe(false);
    await db.query('insert into reaction (workflow_key, version, retry_at) values ($1, 0, clock())', [key]);
    expect(await hasDue()).toBe(true);
    await db.query('delete from reaction where workflow_key = $1', [key]);
  });

  it('continues after its offset, and reads only its own partition', async () => {
    await appendEvents(
      db,
      Array.from({ length: 60 }, (_, n) => append(`w${n}`, null, 0, n)),
    );
    await settledLog(db);
    for (const total of [1, 2, 3, 7]) {
      const read = await Promise.all(
        Array.from({ length: total }, (_, part) =>
          readPartition(db, name, { part, offset: START_OFFSET }, total, 100),
        ),
      );
      for (const [part, { events }] of read.entries())
        expect(events.every(({ id }) => partitionOf(id, total) === part)).toBe(true);
      expect(read.flatMap(({ events }) => events)).toHaveLength(60);
    }
  });

  it('is fair: a busy slot does not starve the others', async () => {
    await begin('busy', ...Array.from({ length: 50 }, (_, n) => n));
    await begin('quiet', 99);
    await settledLog(db);
    const positions = [...ofSlot('busy'), ...ofSlot('quiet')];
    const { events: read } = await readSlots(db, name, positions, { each: 10, max: 100 });
    expect(read.filter(({ id }) => id === 'busy')).toHaveLength(10);
    expect(read.at(-1)!.data.n).toBe(99);
  });
});

describe('parts of several stories', () => {
  it('are read at once, each in order and between its own versions', async () => {
    const a = await begin('a', 10, 11, 12, 13);
    const b = await begin('b', 20, 21);
    const ranges = [
      { key: b, after: 0, upTo: 2 },
      { key: a, after: 1, upTo: 3 },
    ];
    const read = await readVersionRanges(db, ranges, 100);
    expect(Map.groupBy(read, ({ workflowKey }) => workflowKey).size).toBe(2);
    const numbersOf = (key: number) =>
      read.filter(({ workflowKey }) => workflowKey === key).map(({ data }) => data.n);
    expect(numbersOf(a)).toEqual([11, 12]);
    expect(numbersOf(b)).toEqual([20, 21]);
  });

  it('are the first ones of each if there are too many', async () => {
    const key = await begin('long', 1, 2, 3, 4);
    const read = await readVersionRanges(db, [{ key, after: 0, upTo: 4 }], 3);
    expect(read.map(({ data }) => data.n)).toEqual([1, 2, 3]);
  });
});
