import type { Socket } from 'node:net';
import type pg from 'pg';
import { pidOf, probeServer, type ServerActivity } from './probe-server.ts';

/** What the watchdog needs to know about the connections. */
export interface WatchedConnections {
  /**
   * The configuration of this connection: with several hosts, others may be connected to another one by
   * now.
   */
  configOf(client: pg.ClientBase): pg.ClientConfig;
  readonly isPooled: boolean;
}

interface PendingStatement {
  readonly sql: string;
  readonly since: number;
  /** The last probe found that its session runs nothing. */
  suspected: boolean;
}

/** Enough of a statement to identify it; servers show the first 1024 bytes, our settings included. */
const QUERY_PREFIX_CHARS = 200;

/**
 * Detects statements whose reply will never arrive: the server vanished silently, a firewall dropped the connection, an address
 * belongs to another server since a failover. TCP alone would take a quarter of an hour, or for ever. Long statements are legitimate,
 * so age alone proves nothing: when one has waited for `afterMs`, the server is probed from a new connection.
 *
 *   no response                    waiting connections are closed
 *   the session runs nothing       closed when two consecutive probes find it so: the reply may have been in transit
 *   behind a pooler                sessions can't be identified; the connection is closed after `pooledMs`, unless the server is
 *                                  running the same statement for the same user
 */
export class StatementWatchdog {
  readonly #waiting = new Map<pg.ClientBase, PendingStatement>();
  readonly #watched: WatchedConnections;
  readonly #afterMs: number;
  readonly #pooledMs: number;
  readonly #timer: NodeJS.Timeout;
  #probing = false;

  constructor(watched: WatchedConnections, { afterMs, pooledMs }: { afterMs: number; pooledMs: number }) {
    this.#watched = watched;
    this.#afterMs = afterMs;
    this.#pooledMs = pooledMs;
    this.#timer = setInterval(() => void this.#checkLate(), afterMs / 2).unref();
  }

  async watch<T>(client: pg.ClientBase, sql: string, answer: Promise<T>): Promise<T> {
    this.#waiting.set(client, { sql, since: performance.now(), suspected: false });
    try {
      return await answer;
    } finally {
      this.#waiting.delete(client);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #checkLate(): Promise<void> {
    const time = performance.now() - this.#afterMs;
    const late = [...this.#waiting].filter(([, { since }]) => since < time);
    if (this.#probing || late.length === 0) return;
    this.#probing = true;
    const hosts = Map.groupBy(late, ([client]) => this.#watched.configOf(client).connectionString);
    await Promise.all([...hosts.values()].map((some) => this.#probe(some)));
    this.#probing = false;
  }

  async #probe(late: readonly (readonly [pg.ClientBase, PendingStatement])[]): Promise<void> {
    const clients = late.map(([client]) => client);
    const answer = await probeServer(this.#watched.configOf(clients[0]!), clients.map(pidOf), {
      isPooled: this.#watched.isPooled,
      withinMs: this.#afterMs,
    });
    for (const [client, waiting] of late) {
      // Skips connections that got their reply meanwhile, and may wait for another one by now.
      if (this.#waiting.get(client) === waiting && this.#isLost(client, waiting, answer))
        destroySocket(client);
    }
  }

  #isLost(client: pg.ClientBase, waiting: PendingStatement, answer: ServerActivity): boolean {
    if (answer.is === 'silent') return true;
    if (answer.is === 'pids') {
      const wasSuspected = waiting.suspected;
      waiting.suspected = !answer.running.has(pidOf(client));
      return wasSuspected && waiting.suspected;
    }
    if (answer.is === 'refused' && !this.#watched.isPooled) return false;
    const seen = answer.is === 'queries' ? answer.running : [];
    const isOld = performance.now() - waiting.since > this.#pooledMs;
    return isOld && !seen.some((query) => query.includes(waiting.sql.slice(0, QUERY_PREFIX_CHARS)));
  }
}

/** Destroys the socket, so that pending queries on this connection fail. */
export function destroySocket(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
