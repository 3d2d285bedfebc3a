import pg from 'pg';
import { SeineError } from '../base/errors.ts';
import { openDataFolder } from './data-folder.ts';
import type { Database, Result, Tx } from './database.ts';
import { type Embedded, startEmbedded } from './embedded/start.ts';
import { explain, explainPrivate, isOutage } from './failures.ts';
import { listen } from './listen.ts';
import { values } from './values.ts';

export interface DatabaseOptions {
  /** A PostgreSQL server; without it the private one of the data folder is used. */
  readonly databaseUrl?: string | undefined;
  readonly dataFolder?: string | undefined;
  /** Connections at most (10). */
  readonly max?: number;
  /**
   * Statements go by an index wherever there is one. For those that are planned once and asked all the time: a table that was small
   * when they were planned may have grown a thousandfold before the server looks at it again.
   */
  readonly byIndex?: boolean;
  /**
   * The server ends a transaction in which nothing was asked for so long. For processes that hold leases: one that stands still in the middle of a
   * transaction would keep its locks, and whoever wants to take over passes by what is locked.
   */
  readonly endStandstillMs?: number;
}

type Private = Embedded & { readonly dataFolder: string };

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, dataFolder, max = 10 } = options;
  const settings = settingsOf(options);
  if (databaseUrl) return connectDatabase(withSettings(databaseUrl, settings), max, null);
  if (!dataFolder) throw new SeineError('internal', 'Neither a database URL nor a data folder was given.');
  const embedded = await startEmbedded(openDataFolder(dataFolder));
  const url = withSettings(embedded.connectionString, settings);
  return connectDatabase(url, max, { ...embedded, dataFolder });
}

function settingsOf({ byIndex, endStandstillMs }: DatabaseOptions): string {
  return [
    SEARCH_PATH,
    byIndex ? '-c enable_seqscan=off' : '',
    endStandstillMs ? `-c idle_in_transaction_session_timeout=${endStandstillMs}` : '',
  ]
    .filter((setting) => setting !== '')
    .join(' ');
}

function connectDatabase(url: string, max: number, embedded: Private | null): Database {
  const config = {
    connectionString: url,
    application_name: 'seine',
    types: values,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...config, max, idleTimeoutMillis: 30_000, connectionTimeoutMillis: 20_000 });
  // A connection that breaks while idle, or between two statements, is reported by the next statement. Without listeners Node would end.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  /** The private server may have been killed: then it is started again. */
  async function connect(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      if (!embedded || !isOutage(error)) throw explain(error);
    }
    try {
      await embedded.revive();
      return await pool.connect();
    } catch (error) {
      throw explainPrivate(error, embedded.dataFolder);
    }
  }

  /** What became of the private server, rather than that a connection broke. */
  function told(error: unknown): unknown {
    const broken = error instanceof SeineError && error.kind === 'unavailable';
    return embedded && broken ? explainPrivate(error, embedded.dataFolder) : error;
  }

  return {
    async query(sql, params, name) {
      const client = await connect();
      try {
        const result = await run<never>(client, sql, params, name);
        client.release();
        return result;
      } catch (error) {
        client.release(isOutage(error));
        throw told(error);
      }
    },
    async tx(work) {
      const client = await connect();
      let broken = false;
      try {
        return await transaction(client, work);
      } catch (error) {
        broken = !(await rolledBack(client));
        throw told(error);
      } finally {
        client.release(broken);
      }
    },
    listen: (channel, heard) => listen(config, channel, heard, () => embedded?.revive()),
    async close() {
      await pool.end();
      await embedded?.close();
    },
  };
}

async function transaction<T>(client: pg.PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
  await run(client, 'begin');
  const result = await work({ transaction: true, query: (...asked) => run(client, ...asked) });
  const { command } = await client.query('commit').catch(rethrow);
  // After an error that `work` swallowed, PostgreSQL answers a commit with a rollback, and says no more about it.
  if (command !== 'COMMIT')
    throw new SeineError('internal', 'A statement failed, so the transaction was rolled back.');
  return result;
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

/** Only errors of the database itself are explained here; what `work` throws passes as it is. */
async function run<Row>(
  client: pg.PoolClient,
  sql: string,
  params?: readonly unknown[],
  name?: string,
): Promise<Result<Row>> {
  // Several statements at once (no parameters) give a list; the last one counts.
  const answer: pg.QueryResult | pg.QueryResult[] = await client
    .query({ text: sql, ...(params && { values: [...params] }), ...(name && { name: `seine_${name}` }) })
    .catch(rethrow);
  const last = Array.isArray(answer) ? answer.at(-1)! : answer;
  return { rows: last.rows as Row[], rowCount: last.rowCount ?? 0 };
}

function rethrow(error: unknown): never {
  throw explain(error);
}

/** Our tables live in the schema `seine`. */
const SEARCH_PATH = '-c search_path=seine,public';

/** As start-up options they cost no round trip. Options of the user's URL stay. */
function withSettings(url: string, ours: string): string {
  const theirs = /([?&]options=)([^&]*)/.exec(url);
  if (!theirs) return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(ours)}`;
  const both = encodeURIComponent(`${decodeURIComponent(theirs[2]!.replaceAll('+', ' '))} ${ours}`);
  return url.replace(theirs[0], () => `${theirs[1]}${both}`);
}
