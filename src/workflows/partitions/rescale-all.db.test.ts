/** Several workflows that are scaled together: one transaction for all of them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { advance, offsetAt } from '../../../test/support/workflows/readers.ts';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/pool.ts';
import { claimLeaseById } from '../../engine/leases/claim-store.ts';
import { openPartitioning } from './partitioning.ts';
import { readPartitioning } from './partitioning-store.ts';
import { rescale, rescaleAll } from './scaling.ts';

let db: Database & { url: string };
let other: Database;
let workflow = '';
let tests = 0;
beforeAll(async () => {
  db = await freshDatabase(6);
  other = await openDatabase({ databaseUrl: db.url, max: 6 });
});
afterAll(async () => {
  await other.close();
  await db.close();
});
beforeEach(() => {
  workflow = `order${tests++}`;
});

const conflict = (message: RegExp, hint: RegExp) => ({
  kind: 'conflict',
  message: expect.stringMatching(message),
  hint: expect.stringMatching(hint),
});

describe('several workflows', () => {
  const pair = () => [`${workflow}-b`, `${workflow}-a`] as const;
  const laidOut = async (totals: readonly [number, number]) => {
    const [b, a] = pair();
    await advance(db, await openPartitioning(db, b, { mode: 'static', total: totals[0] }), 30, 20, 40);
    await advance(db, await openPartitioning(db, a, { mode: 'static', total: totals[1] }), 7, 9, 8);
  };
  const shapes = async () =>
    Promise.all(pair().map(async (name) => (await readPartitioning(db, name))!.readers.length));

  it('change together, each from its own smallest offset', async () => {
    await laidOut([3, 3]);
    const scaled = await rescaleAll(db, [...pair(), pair()[0]], 3, 5);
    expect(scaled.map(({ layout, offset }) => [layout.workflow, offset])).toEqual([
      [`${workflow}-a`, offsetAt(7)],
      [`${workflow}-b`, offsetAt(20)],
    ]);
    expect(await shapes()).toEqual([5, 5]);
  });

  it('stay as they are when one of them has another layout, runs, or was never read', async () => {
    await laidOut([3, 4]);
    await expect(rescaleAll(db, pair(), 3, 5)).rejects.toMatchObject(
      conflict(/-a is partitioned into 4/, /--from 4/),
    );
    expect(await shapes()).toEqual([3, 4]);
    await expect(rescaleAll(db, [pair()[0], 'never'], 3, 5)).rejects.toMatchObject({ kind: 'not-found' });
    const { readers } = (await readPartitioning(db, pair()[0]))!;
    await claimLeaseById(db, readers[0]!.lease, randomUUID(), 60_000);
    await rescale(db, pair()[1], 4, 3);
    await expect(rescaleAll(db, pair(), 3, 5)).rejects.toMatchObject(conflict(/-b is being read/, /--stop/));
    expect(await shapes()).toEqual([3, 3]);
  });

  it('of which some have changed already are repeated as one', async () => {
    await laidOut([3, 5]);
    const scaled = await rescaleAll(db, pair(), 3, 5);
    expect(scaled.map(({ changed }) => changed)).toEqual([false, true]);
    expect(await shapes()).toEqual([5, 5]);
  });

  it('changed from both sides at once never wait in a circle', async () => {
    await laidOut([3, 3]);
    const [forth, back] = [rescaleAll(db, pair(), 3, 5), rescaleAll(other, pair().toReversed(), 3, 5)];
    const all = (await Promise.all([forth, back])).flat();
    expect(all.filter(({ changed }) => changed)).toHaveLength(2);
  });
});
