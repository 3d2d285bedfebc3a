import type { Database } from '../../src/db/database.ts';

/**
 * From now on the database's clock stands still, until what this gives back puts it forward or back: what a test says has not expired has not,
 * however long a slow machine takes from one statement to the next. It begins at noon of a day that is as long as any other.
 */
export async function movableClock(db: Database): Promise<(ms: number) => Promise<void>> {
  await db.query(`
    create table moved (ms float8 not null);
    insert into moved values (0);
    create or replace function clock() returns timestamptz language sql stable as
      'select timestamptz ''2030-01-15 12:00:00Z'' + ms * interval ''1 millisecond'' from moved';
    create or replace function wall_clock() returns timestamptz language sql volatile as 'select clock()'`);
  return async (ms) => void (await db.query('update moved set ms = ms + $1', [ms]));
}
