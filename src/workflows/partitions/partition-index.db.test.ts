import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, many } from '../../db/database.ts';
import { appendEvents } from '../../events/append-store.ts';
import { partitionExpression } from '../../events/read-store.ts';
import { dropUnusedIndexes } from './partition-index-store.ts';
import { openPartitioning } from './partitioning.ts';
import { rescale } from './scaling.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(8);
});
afterAll(() => db.close());

async function indexes(): Promise<string[]> {
  const found = await many<{ name: string }>(
    db,
    `select indexname as name from pg_indexes where tablename = 'event' and indexname ~ '[0-9]$' order by 1`,
  );
  return found.map(({ name }) => name);
}

describe('the index of a number of partitions', () => {
  it('is made once, also when several layouts begin at the same time', async () => {
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => openPartitioning(db, name, { mode: 'static', total: 3 })),
    );
    expect(await indexes()).toEqual(['event_of_3']);
  });

  it('leads a reader to its own events, and to no others', async () => {
    const events = [{ type: 'happened', data: {} }];
    const appends = Array.from({ length: 3000 }, (_, n) => ({ id: `w${n}`, key: null, expected: 0, events }));
    await appendEvents(
      db,
      appends.map((append) => ({ ...append, tenant: 'default', workflow: 'a' })),
    );
    const plan = await many<{ 'QUERY PLAN': string }>(
      db,
      `explain (analyze, costs off, timing off)
       select * from event where workflow = 'a' and ${partitionExpression(3)} = $1
         and (xid, position) > ('0'::xid8, 0) and xid < pg_snapshot_xmin(pg_current_snapshot())
       order by xid, position limit 100`,
      [1],
    );
    const planText = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(planText).toContain('Index Scan using event_of_3');
    expect(planText).not.toContain('Removed by Filter');
    expect(planText).not.toContain('Sort');
  });

  it('is dropped when no layout has that number any more, and not before', async () => {
    await rescale(db, 'a', 3, 5);
    expect(await dropUnusedIndexes(db)).toEqual([]);
    for (const name of ['b', 'c', 'd']) await rescale(db, name, 3, 'slots');
    expect(await dropUnusedIndexes(db)).toEqual(['event_of_3']);
    expect(await indexes()).toEqual(['event_of_5']);
  });
});
