/**
 * Runs actors (workers, thieves, people) one statement at a time, in an order that a seed decides. Each actor has a connection of
 * its own, so transactions really interleave: one that waits for a lock is left waiting, and others go on. Between two turns every
 * actor stands still, or waits for a lock; that makes a run repeatable.
 */
import pg from 'pg';
import { SeineError } from '../../src/base/errors.ts';
import type { Database, Queryable, Tx } from '../../src/db/database.ts';
import { explain } from '../../src/db/failures.ts';
import { values } from '../../src/db/values.ts';
import type { Choices } from './random.ts';

type State = 'asking' | 'running' | 'blocked' | 'gone';
/** What befalls an actor at its turn. `lost`: it happens, but the answer does not come back. */
export type Fate = 'goes on' | 'dies before' | 'dies after' | 'lost';

export interface Actor {
  readonly name: string;
  state: State;
  /** The statement it is about to send. */
  asks: string;
}

interface Connection {
  readonly client: pg.Client;
  readonly pid: number;
}

interface Player extends Actor, Connection {
  go: ((fate: Fate) => void) | null;
}

const LOOK_AGAIN_MS = 2;

/** Lets the code of a killed actor unwind: whatever it still tries is refused, so that it changes nothing and leaves no timer. */
class Killed extends Error {}

export class Scheduler {
  readonly #url: string;
  readonly #watch: pg.Client;
  readonly #players: Player[] = [];
  readonly #free: Connection[] = [];
  failures: unknown[] = [];
  turns = 0;
  #changed = () => {};

  private constructor(url: string, watch: pg.Client) {
    this.#url = url;
    this.#watch = watch;
  }

  static async open(url: string): Promise<Scheduler> {
    return new Scheduler(url, await connect(url));
  }

  /** The actor's work begins; its first statement waits for a turn. */
  async start(name: string, work: (db: Database) => Promise<void>): Promise<void> {
    const connection = this.#free.pop() ?? (await this.#connection());
    const player: Player = { ...connection, name, state: 'running', asks: '', go: null };
    this.#players.push(player);
    work(this.#database(player))
      .catch((error) => {
        if (player.state !== 'gone') this.failures.push(error);
      })
      .finally(() => this.#leave(player));
    await this.#standstill();
  }

  async #connection(): Promise<Connection> {
    const client = await connect(this.#url);
    const { rows } = await client.query('select pg_backend_pid() as pid');
    return { client, pid: rows[0].pid };
  }

  /** Those who wait for a turn. Empty: all have ended. */
  get asking(): readonly Actor[] {
    return this.#players.filter((player) => player.state === 'asking');
  }

  async turn(actor: Actor, fate: Fate): Promise<void> {
    const player = this.#players.find((one) => one === actor)!;
    this.turns++;
    player.state = 'running';
    const go = player.go!;
    player.go = null;
    if (fate === 'dies before') await this.#kill(player);
    go(fate);
    await this.#standstill();
  }

  async query(sql: string, params?: unknown[]): Promise<pg.QueryResult> {
    return this.#watch.query(sql, params);
  }

  /** Everybody leaves; the next play begins. */
  async clear(): Promise<void> {
    for (const player of [...this.#players]) {
      await this.#kill(player);
      player.go?.('goes on'); // to find out that it is dead
    }
    await new Promise((resolve) => setImmediate(resolve));
    this.failures = [];
    this.turns = 0;
  }

  async close(): Promise<void> {
    await this.clear();
    for (const { client } of this.#free) await client.end();
    await this.#watch.end();
  }

  /** Until everybody waits for a turn, for a lock, or is gone. */
  async #standstill(): Promise<void> {
    for (;;) {
      const busy = this.#players.filter((player) => player.state === 'running' || player.state === 'blocked');
      if (busy.every((player) => player.state === 'blocked')) {
        if (busy.length === 0 || !(await this.#anyFreed(busy))) return;
      }
      const running = this.#players.filter((player) => player.state === 'running');
      if (running.length === 0) continue;
      await this.#change();
      for (const player of running)
        if (player.state === 'running' && (await this.#isBlocked(player))) player.state = 'blocked';
    }
  }

  async #anyFreed(blocked: readonly Player[]): Promise<boolean> {
    let any = false;
    for (const player of blocked) {
      if (player.state !== 'blocked' || (await this.#isBlocked(player))) continue;
      if (player.state === 'blocked') player.state = 'running';
      any = true;
    }
    return any || blocked.some((player) => player.state !== 'blocked');
  }

  async #isBlocked(player: Player): Promise<boolean> {
    const { rows } = await this.#watch.query('select cardinality(pg_blocking_pids($1)) > 0 as blocked', [
      player.pid,
    ]);
    return rows[0].blocked;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_AGAIN_MS);
      this.#changed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #database(player: Player): Database {
    const query: Queryable['query'] = async (sql, params) => this.#run(player, sql, params);
    return {
      query,
      tx: async (work) => {
        await this.#run(player, 'begin');
        try {
          const tx = { transaction: true, query } as Tx;
          const result = await work(tx);
          await this.#run(player, 'commit');
          return result;
        } catch (error) {
          // After a lost answer the connection is gone in production too: nothing of ours is open any more.
          await player.client.query('rollback').catch(() => {});
          throw error;
        }
      },
      listen: async () => async () => {},
      close: async () => {},
    };
  }

  async #run<Row>(player: Player, sql: string, params?: readonly unknown[]) {
    const fate = await this.#askForTurn(player, sql);
    if (player.state === 'gone') throw new Killed();
    const answer = await player.client.query(sql, params && [...params]).catch((error) => {
      throw explain(error);
    });
    if (fate === 'dies after') {
      await this.#kill(player);
      throw new Killed(); // nobody hears of it
    }
    // In a transaction the server rolls back what it did; outside, it stays done and nobody knows.
    if (fate === 'lost') throw new SeineError('unavailable', 'The answer was lost.', { retry: true });
    return { rows: answer.rows as Row[], rowCount: answer.rowCount ?? 0 };
  }

  #askForTurn(player: Player, sql: string): Promise<Fate> {
    if (player.state === 'gone') return Promise.reject(new Killed());
    return new Promise((go) => {
      player.asks = sql;
      player.go = go;
      player.state = 'asking';
      this.#changed();
    });
  }

  /** As `kill -9` does it: an open transaction is rolled back, and the actor is never heard of again. */
  async #kill(player: Player): Promise<void> {
    if (player.state === 'gone') return;
    player.state = 'gone';
    await player.client.query('rollback');
    this.#remove(player);
  }

  #leave(player: Player): void {
    if (player.state === 'gone') return;
    player.state = 'gone';
    this.#remove(player);
  }

  #remove(player: Player): void {
    this.#players.splice(this.#players.indexOf(player), 1);
    this.#free.push({ client: player.client, pid: player.pid });
    this.#changed();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    types: values,
    options: '-c search_path=seine,public -c deadlock_timeout=20ms -c synchronous_commit=off',
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export function anyOf(choices: Choices, actors: readonly Actor[]): Actor {
  return choices.of([...actors].sort((a, b) => (a.name < b.name ? -1 : 1)));
}
