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
/** After so long without a word TCP asks whether the server is still there; ten unanswered questions, a second apart, end it. */
const KEEPALIVE_AFTER_MS = 15_000;
/** Of a goodbye to a server that may not be there any more. */
const CLOSE_TIMEOUT_MS = 3000;

/**
 * The connections of a process: which server they lead to, and whether there is a pooler in between that shares sessions. A pooler shows by
 * our start-up options: it refuses them, or the first session does not have them. From then on nothing is kept in a session.
 */
export class Connections implements WatchedConnections {
  readonly #pool: pg.Pool;
  readonly #settings: SessionSettings;
  readonly #embedded: PrivateServer | null;
  readonly #hosts: Hosts;
  /** Those that are not closed yet, and what each was connected with: later ones may lead to another host. */
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
    // A connection that breaks while idle, or between two statements, is reported by the next statement. Without listeners Node would end.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /** For one more connection to where the others lead. */
  get config(): pg.ClientConfig {
    const url = this.#hosts.current;
    return clientConfig(this.#isPooled ? url : withOptions(url, this.#settings.options));
  }

  configOf(client: pg.ClientBase): pg.ClientConfig {
    return this.#open.get(client) ?? this.config;
  }

  /** Sessions are shared: settings end with the transaction, and nothing can be prepared or listened to. Known after the first `connect`. */
  get isPooled(): boolean {
    return this.#isPooled;
  }

  /** The private server may have been killed: then it is started again. */
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

  /** The server of this connection is of no use any more: the next one is asked, if there are several. */
  failOverFrom(client: pg.ClientBase): void {
    if (this.configOf(client).connectionString === this.config.connectionString)
      this.#failOver(this.#hosts.current);
  }

  /** A server that does not answer the goodbye is left without one. */
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

  /** Asked once for all connections. */
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

  /** New connections of the pool go there. */
  #redirect(): void {
    const { connectionString } = this.config;
    Object.assign(this.#pool.options, { connectionString });
  }

  /** With several hosts one that can't be written to is as good as none. */
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

/** The first questions of a connection are part of connecting: nobody watches over them yet. */
function withQueryTimeout(text: string): pg.QueryConfig {
  const query = { text, query_timeout: CONNECT_MS }; // the types leave the timeout out
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
