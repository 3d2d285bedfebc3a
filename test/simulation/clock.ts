/**
 * The database's time, which only the simulation advances. It is set for each connection before its next statement, but not within a
 * transaction: there it does not change, as with `now()`.
 */
import type { Connection } from './connection.ts';

const START = Date.UTC(2026, 0, 1);

export class Clock {
  readonly #watch: Connection;
  #now = START;

  constructor(watch: Connection) {
    this.#watch = watch;
  }

  /** `latest_clock()` is for observers: the time of a transaction that starts now. */
  static async prepare(watch: Connection): Promise<void> {
    await watch.run(`
      create or replace function clock() returns timestamptz language sql stable as $$
        select current_setting('seine.now')::timestamptz $$;
      create table simulated_clock (at timestamptz not null);
      insert into simulated_clock values ('${textOf(START)}');
      create function latest_clock() returns timestamptz language sql volatile as $$
        select at from simulated_clock $$;
      create or replace function wall_clock() returns timestamptz language sql volatile as $$
        select latest_clock() $$`);
    watch.setTime(textOf(START));
  }

  reset(): Promise<void> {
    return this.advance(START - this.#now);
  }

  async advance(ms: number): Promise<void> {
    this.#now += ms;
    this.setTimeOf(this.#watch);
    await this.#watch.run('update simulated_clock set at = $1', [new Date(this.#now)]);
  }

  /** Sets the connection's time to the current one. */
  setTimeOf(connection: Connection): void {
    connection.setTime(textOf(this.#now));
  }
}

function textOf(ms: number): string {
  return new Date(ms).toISOString();
}
