/** A separate database for simulations: a clock that can be set, a queue that can be inspected, observers. */
import { type Database, many } from '../../src/db/database.ts';
import { Clock } from './clock.ts';
import { Connection } from './connection.ts';
import { observeLeases } from './observer.ts';
import { Scheduler } from './scheduler.ts';

const TRUNCATE_EVERY = 200;
/** Of scans that are removed, these rows stay for a while. */
const LEFT = ['object_result', 'inventory_block', 'ledger', 'dead_letter', 'scan_removal'];
const TABLES = [...LEFT, 'sent', 'led', 'violation', 'resurrected', 'told', 'rolled_up'];
const TRUNCATE = `
  truncate lease_group, workflow, ${TABLES.join(', ')} cascade;
  insert into lease_group (id, tenant, kind, remaining) overriding system value values (0, '', 'leader', 1);
  insert into range_lease (tenant, group_id, after_key, cursor, reserved_up_to, not_before) values ('', 0, '', '', '', '2000-01-01')`;
const DELETE = `
  delete from lease_group where id > 0;
  delete from workflow;
  ${TABLES.map((table) => `delete from ${table}`).join(';')};
  update range_lease set state = 'waiting', holder = null, expires_at = null`;

export class World {
  readonly db: Database;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly #watch: Connection;
  #cleared = 0;

  private constructor(url: string, watch: Connection) {
    this.#watch = watch;
    this.db = watch.database();
    this.clock = new Clock(watch);
    this.scheduler = new Scheduler(url, watch, this.clock);
  }

  /** The database must be migrated, empty, and not used by another program. */
  static async open(url: string): Promise<World> {
    const watch = await Connection.open(url);
    await leaveAlone(watch);
    await Clock.prepare(watch);
    await observeLeases(watch);
    await watch.run(`
      create table sent (id bigserial, name text not null, data jsonb not null, not_before timestamptz not null,
                         taken boolean not null default false);
      create table led (worker uuid not null, leader uuid);
      create table rolled_up (it boolean not null)`);
    return new World(url, watch);
  }

  /** As if nothing had happened yet. Deleting is quicker than truncating, until too much has been deleted. */
  async clear(): Promise<void> {
    await this.scheduler.clear();
    if (this.#cleared++ % TRUNCATE_EVERY === 0) await this.#watch.run(TRUNCATE);
    else await this.#watch.run(DELETE);
    await this.clock.reset();
  }

  async close(): Promise<void> {
    await this.scheduler.close();
    await this.#watch.close();
  }
}

/** Nothing of the server's own may take locks at moments that no seed decides. */
async function leaveAlone(watch: Connection): Promise<void> {
  const tables = await many<{ name: string }>(
    watch.database(),
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'seine'`,
  );
  for (const { name } of tables) await watch.run(`alter table ${name} set (autovacuum_enabled = off)`);
}
