import pg from 'pg';
import { SeineError } from '../base/errors.ts';
import {
  isOptionsRejected,
  isPoolBusy,
  isTransientDbError,
  mapDbError,
  mapPrivateServerError,
} from './db-errors.ts';
import type { EmbeddedServer } from './embedded/start.ts';
import { Hosts } from './hosts.ts';
import { hasOptions, SESSION_IS_OURS, type SessionSettings, withOptions } from './session-settings.ts';
import { destroySocket, type WatchedConnections } from './statement-watchdog.ts';
import { typeParsers } from './type-parsers.ts';

export type PrivateServer = EmbeddedServer & { readonly dataFolder: string };

const CONNECT_MS = 20_000;
/** Idle time before TCP keepalive probes; ten unanswered probes, a second apart, close the connection. */
const KEEPALIVE_AFTER_MS = 15_000;
/** Timeout of an orderly close, because the server may be gone. */
const CLOSE_TIMEOUT_MS = 3000;

/**
 * The connections of a process: the current server, and whether a pooler in between shares sessions. A
 * pooler is detected by our start-up options: it rejects them, or the first session does not have them.
 * From then on no session state is used.
 */
export class Connections implements WatchedConnections {
  readonly #pool: pg.Pool;
  readonly #settings: SessionSettings;
  readonly #embedded: PrivateServer | null;
  readonly #hosts: Hosts;
  /** Open connections with their configuration: later ones may connect to another host. */
  readonly #open = new Map<pg.ClientBase, pg.ClientConfig>();
  #isPooled = false;
  #poolerDetection: Promise<void> | null = null;

  constructor(
    url: string,
    settings: SessionSettings,
    { max, connectMs = CONNECT_MS }: { max: number; connectMs: number | undefined },
    embedded: PrivateServer | null,
  ) {
    this.#settings = settings;
    this.#embedded = embedded;
    this.#hosts = new Hosts(url);
    if (embedded) this.#poolerDetection = Promise.resolve();
    const limits = { max, idleTimeoutMillis: 30_000, connectionTimeoutMillis: connectMs };
    this.#pool = new pg.Pool({
      ...this.config,
      ...limits,
      Client: trackingClient(this.#open),
      onConnect: (client) => this.#rejectStandby(client),
    });
    // A connection that breaks while idle, or between two statements, is reported by the next statement.
    // Without a listener the error would end the process.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /** The configuration for one more connection to the current server. */
  get config(): pg.ClientConfig {
    const url = this.#hosts.current;
    return clientConfig(this.#isPooled ? url : withOptions(url, this.#settings.options));
  }

  configOf(client: pg.ClientBase): pg.ClientConfig {
    return this.#open.get(client) ?? this.config;
  }

  /**
   * Sessions are shared: settings end with the transaction, and prepared statements and LISTEN are not
   * possible. Known after the first `connect`.
   */
  get isPooled(): boolean {
    return this.#isPooled;
  }

  /** Connects; starts the private server again if it was killed. */
  async connect(): Promise<pg.PoolClient> {
    const embedded = this.#embedded;
    try {
      return await this.#connectAnywhere();
    } catch (error) {
      if (!embedded || !isTransientDbError(error)) throw this.#mapConnectError(error);
    }
    try {
      await embedded.ensureRunning();
      return await this.#pool.connect();
    } catch (error) {
      throw mapPrivateServerError(mapDbError(error), embedded.dataFolder);
    }
  }

  /** Marks the server of this connection as failed: the next host is used, if there are several. */
  failOverFrom(client: pg.ClientBase): void {
    if (this.configOf(client).connectionString === this.config.connectionString)
      this.#failOver(this.#hosts.current);
  }

  /** Closes all connections, without waiting for an unresponsive server. */
  async end(): Promise<void> {
    const late = setTimeout(() => [...this.#open.keys()].forEach(destroySocket), CLOSE_TIMEOUT_MS);
    await this.#pool.end().finally(() => clearTimeout(late));
  }

  async #connectAnywhere(): Promise<pg.PoolClient> {
    for (let left = this.#hosts.count; ; ) {
      const url = this.#hosts.current;
      try {
        const client = await this.#pool.connect();
        await this.#detectPooler(client);
        return client;
      } catch (error) {
        if (isOptionsRejected(error) && !this.#isPooled && !hasOptions(url)) this.#usePooler();
        else if (isTransientDbError(error) && !isPoolBusy(error) && --left > 0) this.#failOver(url);
        else throw error;
      }
    }
  }

  /** Runs once for all connections. */
  async #detectPooler(client: pg.PoolClient): Promise<void> {
    this.#poolerDetection ??= client
      .query<{ ours: boolean | null }>(withQueryTimeout(SESSION_IS_OURS))
      .then(({ rows }) => {
        if (!rows[0]!.ours) this.#usePooler();
      });
    try {
      await this.#poolerDetection;
    } catch (error) {
      this.#poolerDetection = null;
      client.release(true);
      throw error;
    }
  }

  #usePooler(): void {
    this.#isPooled = true;
    this.#poolerDetection = Promise.resolve();
    this.#redirect();
  }

  #failOver(url: string): void {
    this.#hosts.failOver(url);
    this.#redirect();
  }

  /** Points new connections of the pool to the current server. */
  #redirect(): void {
    const { connectionString } = this.config;
    Object.assign(this.#pool.options, { connectionString });
  }

  /** With several hosts, a read-only server counts as failed. */
  async #rejectStandby(client: pg.ClientBase): Promise<void> {
    if (this.#hosts.count === 1) return;
    const { rows } = await client.query<{ only: string }>(
      withQueryTimeout(`select current_setting('transaction_read_only') as only`),
    );
    if (rows[0]!.only === 'on')
      throw Object.assign(new Error('This server is read-only.'), { code: '25006' });
  }

  #mapConnectError(error: unknown): unknown {
    if (!isOptionsRejected(error)) return mapDbError(error);
    return new SeineError('usage', 'The connection pooler refuses a start-up parameter of DATABASE_URL.', {
      hint: 'Remove "options" and the like from DATABASE_URL, or let the pooler ignore them (PgBouncer: ignore_startup_parameters = options).',
      cause: error,
    });
  }
}

/** Adds a timeout to the first queries of a connection, which the watchdog does not cover yet. */
function withQueryTimeout(text: string): pg.QueryConfig {
  const query = { text, query_timeout: CONNECT_MS }; // missing in the types
  return query;
}

function trackingClient(open: Map<pg.ClientBase, pg.ClientConfig>): typeof pg.Client {
  return class extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super(config);
      open.set(this, clientConfig(config.connectionString!));
      this.once('end', () => open.delete(this));
    }
  };
}

export function clientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'seine',
    types: typeParsers,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
  };
}
