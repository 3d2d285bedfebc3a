import type pg from 'pg';
import { messageOf, SeineError } from '../base/errors.ts';
import { Connections, clientConfig, type PrivateServer } from './connections.ts';
import { openDataFolder } from './data-folder.ts';
import type { Database, Result, Tx } from './database.ts';
import { isReadOnly, isTransientDbError, mapDbError, mapPrivateServerError } from './db-errors.ts';
import { startEmbeddedServer } from './embedded/start.ts';
import { listen } from './listen.ts';
import { cannotRunInTransaction, queryPooled } from './pooled-query.ts';
import {
  type SessionOptions,
  type SessionSettings,
  settingsOf,
  withoutTimeouts,
} from './session-settings.ts';
import { StatementWatchdog } from './statement-watchdog.ts';

export interface DatabaseOptions extends SessionOptions {
  /** URL of a PostgreSQL server, or several; without it the private one of the data folder is used. */
  readonly databaseUrl?: string | undefined;
  /** URL of the same database without a connection pooler, for LISTEN. */
  readonly directUrl?: string | undefined;
  readonly dataFolder?: string | undefined;
  /** Maximum number of connections (default 10), without the one for LISTEN. */
  readonly max?: number;
  /** Reports delays, and non-fatal problems. */
  readonly warn?: (message: string) => void;
  /** Timeout of a connect, or of the wait for a connection while all are in use (default 20 s). */
  readonly connectMs?: number;
  /** How long a statement runs before the watchdog probes the server. */
  readonly probeAfterMs?: number;
  /** Behind a pooler: how long a statement that is not visible on the server may take (default 10 min). */
  readonly pooledMs?: number;
}

const PROBE_AFTER_MS = 15_000;
const POOLED_MS = 600_000;

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, dataFolder } = options;
  if (databaseUrl) return connectDatabase(databaseUrl, options, null);
  if (!dataFolder) throw new SeineError('internal', 'Neither a database URL nor a data folder was given.');
  const embedded = await startEmbeddedServer(openDataFolder(dataFolder));
  return connectDatabase(embedded.connectionString, options, { ...embedded, dataFolder });
}

function connectDatabase(url: string, options: DatabaseOptions, embedded: PrivateServer | null): Database {
  const { max = 10, directUrl, probeAfterMs: afterMs = PROBE_AFTER_MS, pooledMs = POOLED_MS } = options;
  const settings = settingsOf(options);
  const connections = new Connections(url, settings, { max, connectMs: options.connectMs }, embedded);
  const watch = new StatementWatchdog(connections, { afterMs, pooledMs });
  const runnerFor = (client: pg.PoolClient) => new StatementRunner(client, connections, settings, watch);

  /** Explains an error by the state of the private server instead of a lost connection. */
  function explained(error: unknown): unknown {
    const broken = error instanceof SeineError && error.kind === 'unavailable';
    return embedded && broken ? mapPrivateServerError(error, embedded.dataFolder) : error;
  }

  return {
    connections: max,
    async query(sql, params, name) {
      const client = await connections.connect();
      const runner = runnerFor(client);
      try {
        return await runner.query<never>(sql, params, name);
      } catch (error) {
        throw explained(error);
      } finally {
        client.release(runner.isBroken);
      }
    },
    async tx(work, { foreign = false } = {}) {
      const client = await connections.connect();
      const runner = runnerFor(client);
      try {
        return await runner.transaction(work);
      } catch (error) {
        await runner.rollBack();
        runner.isBroken ||= foreign;
        throw explained(error);
      } finally {
        client.release(runner.isBroken);
      }
    },
    listen(channel, heard) {
      return listen(channel, heard, {
        config: async () =>
          directUrl ? clientConfig(directUrl) : (await isPooled()) ? null : connections.config,
        ensureRunning: async () => directUrl === undefined && (await embedded?.ensureRunning()),
        onFailure: (error) => options.warn?.(listenFailure(error, directUrl)),
      });
    },
    async close() {
      watch.stop();
      await connections.end();
      await embedded?.close();
    },
  };

  async function isPooled(): Promise<boolean> {
    (await connections.connect()).release();
    return connections.isPooled;
  }
}

function listenFailure(error: unknown, directUrl: string | undefined): string {
  const where = directUrl ? 'SEINE_DIRECT_DATABASE_URL' : 'the database';
  return `Cannot LISTEN on ${where}: ${messageOf(error)} Polling for work until it is back.`;
}

/**
 * Runs statements on one connection, directly or through a pooler, and records whether the connection must
 * be discarded.
 */
class StatementRunner {
  readonly #client: pg.PoolClient;
  readonly #connections: Connections;
  readonly #settings: SessionSettings;
  readonly #watch: StatementWatchdog;
  /**
   * The connection must be discarded; always after an outage, because e.g. sessions of a demoted server
   * stay read-only.
   */
  isBroken = false;

  constructor(
    client: pg.PoolClient,
    connections: Connections,
    settings: SessionSettings,
    watch: StatementWatchdog,
  ) {
    this.#client = client;
    this.#connections = connections;
    this.#settings = settings;
    this.#watch = watch;
  }

  /** Runs a single statement, outside of a transaction. */
  async query<Row>(sql: string, params?: readonly unknown[], name?: string): Promise<Result<Row>> {
    if (!this.#connections.isPooled) {
      if (cannotRunInTransaction(sql)) await this.#liftLimits();
      return this.#run(sql, params, name);
    }
    return this.#answer(sql, queryPooled(this.#client, this.#settings.query, sql, params));
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { isPooled } = this.#connections;
    await this.#run(isPooled ? this.#settings.begin : 'begin');
    const query: Tx['query'] = (sql, params, name) => this.#run(sql, params, isPooled ? undefined : name);
    const result = await work({ transaction: true, query });
    const { command } = await this.#await('commit', this.#client.query('commit'));
    // After an error that the callback swallowed, PostgreSQL answers a commit with a rollback, without an
    // error.
    if (command !== 'COMMIT')
      throw new SeineError('internal', 'A statement failed, so the transaction was rolled back.');
    return result;
  }

  async rollBack(): Promise<void> {
    if (!this.isBroken)
      await this.#await('rollback', this.#client.query('rollback')).catch(() => {
        this.isBroken = true;
      });
  }

  /**
   * For long statements such as index builds. The connection is not reused, because later statements need
   * the limits.
   */
  async #liftLimits(): Promise<void> {
    await this.#run(withoutTimeouts('session'));
    this.isBroken = true;
  }

  #run<Row>(sql: string, params?: readonly unknown[], name?: string): Promise<Result<Row>> {
    const config = {
      text: sql,
      ...(params && { values: [...params] }),
      ...(name && { name: `seine_${name}` }),
    };
    return this.#answer(sql, this.#client.query(config));
  }

  /** Several statements at once (no parameters) return a list; the last one counts. */
  async #answer<Row>(sql: string, pending: Promise<pg.QueryResult | pg.QueryResult[]>): Promise<Result<Row>> {
    const answer = await this.#await(sql, pending);
    const last = Array.isArray(answer) ? answer.at(-1)! : answer;
    return { rows: last.rows as Row[], rowCount: last.rowCount ?? 0 };
  }

  /** Maps only errors of the database; errors of the callback are thrown unchanged. */
  async #await<T>(sql: string, pending: Promise<T>): Promise<T> {
    try {
      return await this.#watch.watch(this.#client, sql, pending);
    } catch (error) {
      this.isBroken ||= isTransientDbError(error);
      if (isReadOnly(error)) this.#connections.failOverFrom(this.#client);
      throw mapDbError(error);
    }
  }
}
