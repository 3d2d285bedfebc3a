import type { Database } from '../../src/db/database.ts';

/**
 * Stops the database's clock and returns a function that moves it forward or back. So nothing expires unless the test says so, however
 * slow the machine is. The clock starts at noon of a day without a change to or from daylight saving time.
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
