import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { type Database, many } from './database.ts';
import { isRejectedData, rejectionReason, writeInSavepoint } from './rejected-data.ts';
import { sanitizeTime } from './sanitize.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
  await db.query('create table probe (n integer primary key check (n > 0), j jsonb, t text)');
  await db.query('create index probe_t on probe (t)');
});
afterAll(() => db.close());

const error = (sql: string): Promise<unknown> => db.query(sql).catch((thrown) => thrown);

describe('data that PostgreSQL refuses', () => {
  it.each([
    ['a number out of range', `insert into probe (n) values (99999999999)`],
    ['a time out of range', `select to_timestamp(1e300)`],
    ['JSON with a zero', `select '{"a":"\\u0000"}'::jsonb`],
    ['a broken character', `select convert_from('\\xff', 'UTF8')`],
    ['a check', 'insert into probe values (-1)'],
    ['a missing value', 'insert into probe values (null)'],
    [
      'an index entry that is too long',
      `insert into probe (n, t) select 7, string_agg(md5(i::text), '') from generate_series(1, 300) i`,
    ],
  ])('is distinguished from other errors: %s', async (_, sql) => {
    const refused = await error(sql);
    expect(isRejectedData(refused)).toBe(true);
    expect(rejectionReason(refused)).toMatch(/^SQLSTATE \w{5}$/);
  });

  it.each([
    ['a table that there is not', 'select from nowhere'],
    ['a second row of the same key', 'insert into probe (n) values (1), (1)'],
    ['a mistake in the statement', 'selct'],
  ])('is not %s', async (_, sql) => {
    expect(isRejectedData(await error(sql))).toBe(false);
  });

  it('is rolled back in a transaction that continues', async () => {
    await db.tx(async (tx) => {
      await tx.query('insert into probe values (1)');
      const refused = await writeInSavepoint(tx, () => tx.query('insert into probe values (2), (-2)'));
      expect(isRejectedData(refused)).toBe(true);
      expect(await writeInSavepoint(tx, () => tx.query('insert into probe values (3)'))).toBeNull();
    });
    expect(await many(db, 'select n from probe order by n')).toEqual([{ n: 1 }, { n: 3 }]);
  });
});

describe('the first and the last time that are stored', () => {
  it('come back as they were', async () => {
    for (const ms of [-210_866_803_200_000, 8.64e15]) {
      expect(sanitizeTime(ms)).toBe(ms);
      const [row] = await many<{ at: Date }>(db, 'select to_timestamp($1::double precision / 1000) as at', [
        ms,
      ]);
      expect(row!.at.getTime()).toBe(ms);
    }
  });
});
