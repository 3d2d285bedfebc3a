/** The database's time, which only the simulation moves. As `now()` does, it stands still within a transaction. */
import type { Connection } from './connection.ts';

const START = Date.UTC(2026, 0, 1);

export class Clock {
  readonly #watch: Connection;
  #now = START;

  constructor(watch: Connection) {
    this.#watch = watch;
  }

  static async prepare(watch: Connection): Promise<void> {
    await watch.run(`
      create table simulated_clock (at timestamptz not null);
      insert into simulated_clock values ('${new Date(START).toISOString()}');
      create or replace function clock() returns timestamptz language sql stable as $$
        select coalesce(nullif(current_setting('seine.now', true), '')::timestamptz, at) from simulated_clock $$`);
  }

  reset(): Promise<void> {
    return this.advance(START - this.#now);
  }

  async advance(ms: number): Promise<void> {
    this.#now += ms;
    await this.#watch.run('update simulated_clock set at = $1', [new Date(this.#now)]);
  }

  /** The statement that begins a transaction. */
  begin(): string {
    return `begin; set local seine.now = '${new Date(this.#now).toISOString()}'`;
  }
}
