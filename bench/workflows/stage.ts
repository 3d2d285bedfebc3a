/** One PostgreSQL server for everything that is compared, with a database for each: their tables don't interfere. */
import { join } from 'node:path';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/pool.ts';
import type { Bench } from '../benchmark.ts';
import { startPostgres } from '../postgres.ts';

export interface Stage {
  readonly bench: Bench;
  readonly folder: string;
  /** The address of an empty database of this name; what there was is gone. */
  newDatabase(name: string): Promise<string>;
  /** With Seine's tables. To be closed. */
  openSeine(name: string, connections?: number): Promise<SeineDatabase>;
  close(): Promise<void>;
}

export interface SeineDatabase {
  readonly url: string;
  readonly db: Database;
}

export async function openStage(bench: Bench): Promise<Stage> {
  const folder = join(bench.folder, 'workflows');
  const postgres = await startPostgres(folder);
  const admin = await openDatabase({ databaseUrl: postgres.url, max: 1 });
  bench.log(`  ${postgres.about}`);

  async function newDatabase(name: string): Promise<string> {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`create database ${name}`);
    // Some clients reject an address without a host, although only the socket is used.
    return postgres.url.replace('@/postgres?', `@localhost/${name}?`);
  }

  return {
    bench,
    folder,
    newDatabase,
    async openSeine(name, connections = 12) {
      const url = await newDatabase(name);
      const db = await openDatabase({ databaseUrl: url, max: connections, preferIndexes: true });
      await migrate(db);
      return { url, db };
    },
    async close() {
      await admin.close();
      await postgres.stop();
    },
  };
}
