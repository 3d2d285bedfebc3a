import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import type { Database } from '../../db/database.ts';
import { claimLeaseById } from '../../engine/leases/claim-store.ts';
import type { Partition } from '../../workflows/partitions/partition.ts';
import { openPartitioning } from '../../workflows/partitions/partitioning.ts';
import { announce } from './announce.ts';

let db: Database & { url: string };
beforeAll(async () => {
  db = await freshDatabase(4);
});
afterAll(() => db.close());

/** The announcements of a runner that holds this many partitions of each workflow; the numbers may be changed meanwhile. */
function listenTo(holding: Map<string, number>, partition: Partition | null) {
  const logged: string[] = [];
  let polls = 0;
  const runner = {
    id: '01234567-89ab-4cde-8f01-23456789abcd',
    counts: { events: 0, messages: 0, actions: 0 },
    holds: () => {
      polls++;
      const total = partition?.total ?? 256;
      return [...holding].map(([workflow, parts]) => ({ workflow, parts, total }));
    },
  };
  const announced = announce(db, runner, { partition, actionsAtOnce: 2, log: (text) => logged.push(text) });
  const looksAgain = async () => {
    const before = polls;
    await expect.poll(() => polls, { message: 'two more polls' }).toBeGreaterThan(before + 1);
  };
  return { logged, looksAgain, [Symbol.asyncDispose]: () => announced.stop() };
}

const READY = 'Runner 01234567 is ready: ';

describe('a runner is ready', () => {
  it('when it holds a share of each of its workflows, and not before', async () => {
    const holding = new Map([
      ['order', 256],
      ['shipment', 0],
    ]);
    await using runner = listenTo(holding, null);
    await runner.looksAgain();
    expect(runner.logged).toEqual(['order: holds 256 of 256 slots.']);
    holding.set('shipment', 128);
    await expect.poll(() => runner.logged).toHaveLength(3);
    expect(runner.logged.slice(1)).toEqual([
      'shipment: holds 128 of 256 slots.',
      `${READY}order, shipment; 2 actions at a time.`,
    ]);
  });

  it('when it holds its partition', async () => {
    const holding = new Map([['fixed', 0]]);
    await openPartitioning(db, 'fixed', { mode: 'static', total: 2 });
    await using runner = listenTo(holding, { index: 1, total: 2 });
    await runner.looksAgain();
    expect(runner.logged).toEqual([]);
    holding.set('fixed', 1);
    await expect.poll(() => runner.logged).toHaveLength(2);
    expect(runner.logged).toEqual(['fixed: holds partition 1 of 2.', `${READY}fixed; 2 actions at a time.`]);
  });

  it('when it stands by for a partition that another one holds', async () => {
    const { readers } = await openPartitioning(db, 'taken', { mode: 'static', total: 2 });
    const other = randomUUID();
    await claimLeaseById(db, readers[0]!.lease, other, 60_000);
    await using runner = listenTo(new Map([['taken', 0]]), { index: 0, total: 2 });
    await expect.poll(() => runner.logged).toHaveLength(2);
    expect(runner.logged[0]).toBe(`taken: partition 0 of 2 is held by runner ${other}; standing by.`);
    expect(runner.logged[1]).toContain(READY);
  });

  it('never in a layout of another number of partitions', async () => {
    const { readers } = await openPartitioning(db, 'other', { mode: 'static', total: 3 });
    await claimLeaseById(db, readers[0]!.lease, randomUUID(), 60_000);
    await using runner = listenTo(new Map([['other', 0]]), { index: 0, total: 2 });
    await runner.looksAgain();
    expect(runner.logged).toEqual([]);
  });
});
