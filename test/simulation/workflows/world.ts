/**
 * A separate server for simulations of workflows: the last stable offset depends on every transaction of the server, so no other
 * program may have one there. With a clock that can be set, and observers.
 */
import { rmSync } from 'node:fs';
import { type Database, many } from '../../../src/db/database.ts';
import { type EmbeddedServer, startEmbeddedServer } from '../../../src/db/embedded/start.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { temporaryFolder } from '../../support/database.ts';
import { waitUntil } from '../../support/wait-for.ts';
import { Clock } from '../clock.ts';
import { Connection } from '../connection.ts';
import { Scheduler } from '../scheduler.ts';
import { observeReaders } from './observer.ts';

const TRUNCATE_EVERY = 50;
/** In an order in which they can be emptied. */
const TABLES = [
  'effect',
  'violation',
  'dead_letter',
  'message',
  'subscription',
  'reader',
  'layout',
  'workflow',
  'lease_group',
  'worker',
];

export class World {
  readonly db: Database;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly #watch: Connection;
  readonly #close: () => Promise<void>;
  #cleared = 0;

  private constructor(url: string, watch: Connection, close: () => Promise<void>) {
    this.#watch = watch;
    this.#close = close;
    this.db = watch.database();
    this.clock = new Clock(watch);
    this.scheduler = new Scheduler(url, watch, this.clock);
  }

  static async open(): Promise<World> {
    const folder = temporaryFolder();
    const server = await startEmbeddedServer(folder);
    try {
      await prepare(server);
      const watch = await Connection.open(server.connectionString);
      await Clock.prepare(watch);
      await watch.run(
        'create table effect (key text primary key, calls integer not null, count integer not null)',
      );
      await observeReaders(watch);
      return new World(server.connectionString, watch, () => tearDown(server, folder));
    } catch (error) {
      await tearDown(server, folder);
      throw error;
    }
  }

  /** As if nothing had happened yet. Deleting is quicker than truncating, until too much has been deleted. */
  async clear(): Promise<void> {
    await this.scheduler.clear();
    if (this.#cleared++ % TRUNCATE_EVERY === 0)
      await this.#watch.run(`truncate ${TABLES.join(', ')} cascade`);
    else await this.#watch.run(TABLES.map((table) => `delete from ${table}`).join(';'));
    await this.clock.reset();
  }

  async close(): Promise<void> {
    await this.scheduler.close();
    await this.#watch.close();
    await this.#close();
  }
}

/** Background processes of the server must not start transactions or take locks at times that no seed decides. */
async function prepare(server: EmbeddedServer): Promise<void> {
  const db = await openDatabase({ databaseUrl: server.connectionString, max: 2 });
  try {
    await migrate(db);
    await db.query('alter system set autovacuum = off');
    await db.query('alter system set fsync = off');
    await db.query('select pg_reload_conf()');
    // One that started before continues, and has transactions.
    const busy = `select from pg_stat_activity where backend_type like 'autovacuum %'`;
    await waitUntil('autovacuum to end', async () => (await many(db, busy)).length === 0);
  } finally {
    await db.close();
  }
}

/** Without its folder the keeper stops the server at once. */
async function tearDown(server: EmbeddedServer, folder: string): Promise<void> {
  await server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
