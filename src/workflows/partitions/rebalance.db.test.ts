import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { advance, holdPartition, offsetAt } from '../../../test/support/workflows/readers.ts';
import type { Database } from '../../db/database.ts';
import { createPartitionedConfigs, makeSlotReaderName } from './partition.ts';
import { openPartitioning } from './partitioning.ts';
import { type Partitioning, readersOf } from './partitioning-store.ts';
import {
  getMinOffset,
  mergeOffsetsOnScaleDown,
  migrateOffsetsOnScaleUp,
  rebalancePartitions,
} from './rebalance.ts';

let db: Database;
let workflow = '';
let tests = 0;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());
beforeEach(() => {
  workflow = `order${tests++}`;
});

const configs = (total: number, of = workflow) => createPartitionedConfigs(total, of);
const names = (total: number, of = workflow) => configs(total, of).map(({ readerName }) => readerName);
const partitions = (total: number): Promise<Partitioning> =>
  openPartitioning(db, workflow, { mode: 'static', total });
const usage = { kind: 'usage', hint: expect.any(String) };

async function offsets(): Promise<number[]> {
  return (await readersOf(db, workflow)).map(({ offset }) => Number(offset.xid));
}

describe('the smallest offset', () => {
  it('is that of the slowest of those that were named', async () => {
    await advance(db, await partitions(3), 30, 256, 77);
    expect(await getMinOffset(db, names(3))).toEqual(offsetAt(30));
    expect(await getMinOffset(db, names(3).slice(1))).toEqual(offsetAt(77));
  });

  it('of slots is returned as well', async () => {
    await advance(db, await openPartitioning(db, workflow, { mode: 'slots' }), 30, 20);
    expect(
      await getMinOffset(
        db,
        [0, 1].map((slot) => makeSlotReaderName(workflow, slot)),
      ),
    ).toEqual(offsetAt(20));
  });

  it('of a reader that is not there is no number at all', async () => {
    await advance(db, await partitions(1), 30);
    const missing = { kind: 'not-found', message: expect.stringContaining('_1_of_2') };
    await expect(getMinOffset(db, [...names(1), ...names(2)])).rejects.toMatchObject(missing);
    await expect(getMinOffset(db, [])).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('of a reader that was retired is no number either', async () => {
    await advance(db, await partitions(3), 30, 40, 50);
    await rebalancePartitions(db, configs(3), configs(2));
    await expect(getMinOffset(db, names(3))).rejects.toMatchObject({ kind: 'not-found' });
    expect(await getMinOffset(db, names(2))).toEqual(offsetAt(30));
  });
});

describe('scaling up, as in the guide', () => {
  it('takes all new readers to the smallest offset', async () => {
    await advance(db, await partitions(3), 30, 20, 40);
    const [old, next] = [names(3), names(5)];
    const added = next.filter((name) => !old.includes(name));
    expect(await migrateOffsetsOnScaleUp(db, old, added)).toMatchObject({
      changed: true,
      offset: offsetAt(20),
    });
    expect(await offsets()).toEqual([20, 20, 20, 20, 20]);
  });

  it('is refused while readers run, unless they are to be stopped', async () => {
    await holdPartition(db, await partitions(3), 2);
    const scale = (running?: 'stop') =>
      migrateOffsetsOnScaleUp(db, names(3), names(5), running ? { running } : {});
    await expect(scale()).rejects.toMatchObject({ kind: 'conflict' });
    expect(await scale('stop')).toMatchObject({ changed: true, stopped: [{ part: 2 }] });
  });

  it('does not go down', async () => {
    await partitions(5);
    await expect(migrateOffsetsOnScaleUp(db, names(5), names(3))).rejects.toMatchObject({
      ...usage,
      hint: expect.stringContaining('mergeOffsetsOnScaleDown'),
    });
  });
});

describe('scaling down, as in the guide', () => {
  it('continues at the smallest offset of the removed readers, not at the largest', async () => {
    await advance(db, await partitions(5), 30, 20, 40, 90, 60);
    const [old, next] = [names(5), names(3)];
    const removed = old.filter((name) => !next.includes(name));
    expect(await mergeOffsetsOnScaleDown(db, removed, next)).toMatchObject({ offset: offsetAt(20) });
    expect(await offsets()).toEqual([20, 20, 20]);
  });

  it('does not go up', async () => {
    await partitions(3);
    await expect(mergeOffsetsOnScaleDown(db, names(3), names(5))).rejects.toMatchObject({
      ...usage,
      hint: expect.stringContaining('migrateOffsetsOnScaleUp'),
    });
  });
});

describe('rebalancing', () => {
  it('goes both ways, and can be repeated', async () => {
    await advance(db, await partitions(3), 30, 20, 40);
    expect(await rebalancePartitions(db, configs(3), configs(5))).toMatchObject({ changed: true });
    expect(await rebalancePartitions(db, configs(3), configs(5))).toMatchObject({ changed: false });
    expect(await rebalancePartitions(db, configs(5), configs(2))).toMatchObject({ changed: true });
    expect(await offsets()).toEqual([20, 20]);
  });

  it('needs all partitions of one workflow on either side', async () => {
    await partitions(3);
    const [three, five] = [configs(3), configs(5)];
    const wrong = [
      [three.slice(1), five],
      [three, five.slice(0, 4)],
      [three, []],
      [three, [...configs(4), five[4]!]],
      [three, configs(5, 'another')],
    ] as const;
    for (const [old, next] of wrong)
      await expect(rebalancePartitions(db, old, next)).rejects.toMatchObject(usage);
    expect(await offsets()).toEqual([0, 0, 0]);
  });
});
