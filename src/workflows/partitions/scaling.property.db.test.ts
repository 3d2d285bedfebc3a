/** Whatever is scaled how often and from wherever its readers stand: nothing is skipped, nothing comes in another order. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { faultyDatabase } from '../../../test/support/faulty-database.ts';
import { repeatWhile } from '../../../test/support/wait-for.ts';
import { holdPartition, moveTo, offsetAt, orphanedLeases } from '../../../test/support/workflows/readers.ts';
import { settledLog } from '../../../test/support/workflows/settled-log.ts';
import { type Database, many } from '../../db/database.ts';
import { releaseLeases } from '../../engine/leases/cursor-store.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { appendEvents } from '../../events/append-store.ts';
import { partitionOf } from '../../events/hash.ts';
import { compareOffsets, offsetFromKey } from '../../events/offset.ts';
import { readPartition, readSlots } from '../../events/read-store.ts';
import { openPartitioning, type PartitionSpec, partitionSpecOf } from './partitioning.ts';
import { minReaderOffset, type Partitioning, readersOf, readPartitioning } from './partitioning-store.ts';
import { rescale } from './scaling.ts';

let db: Database;
let runs = 0;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

const shape: fc.Arbitrary<PartitionSpec> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 7 }) },
  { weight: 1, arbitrary: fc.constant('slots' as const) },
);
/** Mostly of a size that can be seen through; slots have 256 readers. */
const wantedOf = (first: PartitionSpec) =>
  first === 'slots' ? ({ mode: 'slots' } as const) : ({ mode: 'static', total: first } as const);

describe('any sequence of scalings', () => {
  const step = fc.record({
    to: shape,
    /** How far some of the readers come before: which, and by how much. */
    moves: fc.array(fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 400 })), { maxLength: 6 }),
    /** Who is running, and so is stopped. */
    running: fc.array(fc.nat(255), { maxLength: 3 }),
    /** The attempts before break off at these statements. */
    crashes: fc.array(fc.integer({ min: 1, max: 13 }), { maxLength: 2 }),
  });

  it('begins at the smallest offset, retires the old readers, and has one for each part', async () => {
    const property = fc.asyncProperty(
      shape,
      fc.array(step, { minLength: 1, maxLength: 6 }),
      async (first, steps) => {
        const workflow = `sequence${runs++}`;
        let layout = await openPartitioning(db, workflow, wantedOf(first));
        for (const { to, moves, running, crashes } of steps) {
          await comeForward(layout, moves);
          const min = smallest(await readersOf(db, workflow));
          const fenced = await hold(layout, running);
          const from = partitionSpecOf(layout);
          for (const at of crashes) await breakOff(workflow, from, to, at);
          const scaled = await rescale(db, workflow, from, to, { running: 'stop' });
          await checkFollows(layout, scaled.layout, from !== to, min);
          for (const held of fenced)
            expect((await moveTo(db, held, offsetAt(9999))) === null).toBe(from !== to);
          layout = await letGo(scaled.layout);
        }
      },
    );
    await fc.assert(property, { numRuns: 25 });
    expect(await orphanedLeases(db)).toBe(0);
  }, 240_000);

  async function comeForward(
    layout: Partitioning,
    moves: readonly (readonly [number, number])[],
  ): Promise<void> {
    for (const [part, by] of moves) {
      const held = await holdPartition(db, layout, part % layout.total);
      const { xid } = offsetFromKey(held.cursor);
      const moved = await moveTo(db, held, offsetAt(Number(xid) + by));
      await db.tx((tx) => releaseLeases(tx, [moved!]));
    }
  }

  async function hold(layout: Partitioning, parts: readonly number[]): Promise<HeldLease[]> {
    const held: HeldLease[] = [];
    for (const part of new Set(parts.map((n) => n % layout.total)))
      held.push(await holdPartition(db, layout, part));
    return held;
  }

  async function breakOff(
    workflow: string,
    from: PartitionSpec,
    to: PartitionSpec,
    at: number,
  ): Promise<void> {
    const failing = faultyDatabase(db, async (statement) => {
      if (statement === at) throw new Error('gone');
    });
    const isGone = (error: Error) => expect(error.message).toBe('gone');
    await rescale(failing, workflow, from, to, { running: 'stop' }).catch(isGone);
  }

  async function checkFollows(
    old: Partitioning,
    next: Partitioning,
    changed: boolean,
    min: bigint,
  ): Promise<void> {
    const { workflow } = next;
    expect(next.epoch).toBe(old.epoch + (changed ? 1 : 0));
    expect(await readPartitioning(db, workflow)).toEqual(next);
    const readers = await readersOf(db, workflow);
    expect(readers.map(({ part }) => part)).toEqual(Array.from({ length: next.total }, (_, part) => part));
    expect(smallest(readers)).toBe(min);
    if (changed) expect(new Set(readers.map(({ offset }) => offset.xid))).toEqual(new Set([min]));
    expect((await minReaderOffset(db, workflow))!.xid).toBe(min);
    const left = `select from reader join range_lease as lease on lease.id = lease_id
                  where workflow = $1 and epoch < $2 and (retired_at is null or state <> 'cancelled')`;
    expect(await many(db, left, [workflow, next.epoch])).toEqual([]);
  }

  const smallest = (readers: Awaited<ReturnType<typeof readersOf>>): bigint =>
    readers.map(({ offset }) => offset).toSorted(compareOffsets)[0]!.xid;

  async function letGo(layout: Partitioning): Promise<Partitioning> {
    await db.query(
      `update range_lease set state = 'waiting', holder = null where group_id = $1 and state = 'held'`,
      [layout.groupId],
    );
    return layout;
  }
});

describe('events that are read while the number of readers changes', () => {
  const act = fc.oneof(
    fc.record({ append: fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }) }),
    fc.record({ read: fc.nat(9), max: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ scale: shape }),
  );

  it('come to every workflow from the first to the last, in order, and none is skipped', async () => {
    const property = fc.asyncProperty(
      shape,
      fc.array(act, { minLength: 5, maxLength: 30 }),
      async (first, acts) => {
        const history = new Story(
          `story${runs++}`,
          await openPartitioning(db, `story${runs - 1}`, wantedOf(first)),
        );
        for (const one of acts) {
          if ('append' in one) await history.append(one.append);
          else if ('read' in one) await history.read(history.partOf(`id-${one.read}`), one.max);
          else await history.scale(one.scale);
        }
        await history.readToTheEnd();
        expect(history.reacted).toEqual(history.written);
      },
    );
    await fc.assert(property, { numRuns: 25 });
  }, 240_000);
});

/** Some workflows, what was written of each, and how far it was reacted to. */
class Story {
  readonly written = new Map<string, number>();
  readonly reacted = new Map<string, number>();
  readonly #keys = new Map<string, number>();
  readonly #workflow: string;
  layout: Partitioning;

  constructor(workflow: string, layout: Partitioning) {
    this.#workflow = workflow;
    this.layout = layout;
  }

  async append(ids: readonly number[]): Promise<void> {
    for (const id of ids.map((n) => `id-${n}`)) {
      const [version, key] = [this.written.get(id) ?? 0, this.#keys.get(id) ?? null];
      const address = { tenant: 'default', workflow: this.#workflow, id };
      const events = [{ type: 'happened', data: {} }];
      const [written] = await appendEvents(db, [{ ...address, key, expected: version, events }]);
      this.#keys.set(id, written!);
      this.written.set(id, version + 1);
    }
  }

  /** As a runner does: from the cursor on, each workflow's next event only. */
  async read(part: number, max: number): Promise<number> {
    const held = await holdPartition(db, this.layout, part);
    const at = { part, offset: offsetFromKey(held.cursor) };
    const { mode, total } = this.layout;
    const { events: found } =
      mode === 'slots'
        ? await readSlots(db, this.#workflow, [at], { each: max, max })
        : await readPartition(db, this.#workflow, at, total, max);
    for (const { id, version } of found) {
      const next = (this.reacted.get(id) ?? 0) + 1;
      if (version > next) throw new Error(`${id} came to version ${version} before ${next}`);
      if (version === next) this.reacted.set(id, version);
    }
    const last = found.at(-1);
    const moved = last ? await moveTo(db, held, last.offset) : held;
    await db.tx((tx) => releaseLeases(tx, [moved!]));
    return found.length;
  }

  /** Slots are partitions too: 256 of them. */
  partOf(id: string): number {
    return partitionOf(id, this.layout.total);
  }

  async scale(to: PartitionSpec): Promise<void> {
    this.layout = (await rescale(db, this.#workflow, partitionSpecOf(this.layout), to)).layout;
  }

  async readToTheEnd(): Promise<void> {
    await settledLog(db);
    const parts = new Set([...this.written.keys()].map((id) => this.partOf(id)));
    for (const part of parts)
      await repeatWhile('reading of the part', async () => (await this.read(part, 100)) > 0);
  }
}
