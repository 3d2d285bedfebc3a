import type { Socket } from 'node:net';
import type pg from 'pg';
import { pidOf, probeServer, type ServerActivity } from './probe-server.ts';

/** What the watch has to know about the connections it looks after. */
export interface WatchedConnections {
  /** Where this very connection leads: with several hosts, others may lead elsewhere by now. */
  configOf(client: pg.ClientBase): pg.ClientConfig;
  readonly isPooled: boolean;
}

interface PendingStatement {
  readonly sql: string;
  readonly since: number;
  /** The last look found that its session runs nothing. */
  suspected: boolean;
}

/** Enough of a statement to know it again; servers show the first 1024 bytes, our settings included. */
const QUERY_PREFIX_CHARS = 200;

/**
 * Notices that a statement waits for an answer that will never come: the server vanished without a word, a firewall forgot the
 * connection, an address leads to another server since a failover. TCP alone would take a quarter of an hour, or for ever. A statement may
 * rightly take long, so its age proves nothing: when one has waited for `afterMs`, a new connection asks the server about it.
 *
 *   nobody answers                 the connections that wait are broken off
 *   the session runs nothing       broken off when two looks in a row find it so: the answer may have been under way
 *   behind a pooler                sessions can't be told apart; a statement is broken off after `pooledMs`, unless the server is
 *                                  seen to run the same statement for the same user
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
      // Those that got their answer meanwhile, and may wait for another one by now, are not meant.
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

/** Whoever waits for an answer on this connection learns that there is none. */
export function destroySocket(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
