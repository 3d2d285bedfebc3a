/** Connections of the simulation: statements are prepared once and kept, because every run repeats the same few. */
import pg from 'pg';
import type { Database, Result, Tx } from '../../src/db/database.ts';
import { typeParsers } from '../../src/db/type-parsers.ts';

/** The simulation inspects locks, so the server should break deadlocks at once. */
const OPTIONS = [
  'search_path=seine,public',
  'deadlock_timeout=20ms',
  'synchronous_commit=off',
  'plan_cache_mode=force_generic_plan',
  'jit=off',
];

export class Connection {
  readonly pid: number;
  readonly #client: pg.Client;
  #time = '';

  private constructor(client: pg.Client, pid: number) {
    this.#client = client;
    this.pid = pid;
  }

  static async open(url: string): Promise<Connection> {
    const options = OPTIONS.map((option) => `-c ${option}`).join(' ');
    const client = new pg.Client({ connectionString: url, types: typeParsers, options });
    client.on('error', () => {});
    await client.connect();
    // The types of pg leave out what its client has known since it connected.
    return new Connection(client, (client as pg.Client & { processID: number }).processID);
  }

  /** Sets the time that later statements see. */
  setTime(time: string): void {
    if (time === this.#time) return;
    this.#time = time;
    this.#client.query(`set seine.now = '${time}'`).catch(() => {}); // the next statement will say what is wrong
  }

  async run<Row>(sql: string, params?: readonly unknown[]): Promise<Result<Row> & { command: string }> {
    const query = params === undefined ? sql : { name: nameOf(sql), text: sql, values: params as unknown[] };
    const answer: pg.QueryResult | pg.QueryResult[] = await this.#client.query(query);
    const last = Array.isArray(answer) ? answer.at(-1)! : answer;
    return { rows: last.rows as Row[], rowCount: last.rowCount ?? 0, command: last.command };
  }

  /** For setup and inspection: no turns, no faults. */
  database(): Database {
    const query: Database['query'] = (sql, params) => this.run(sql, params);
    return {
      query,
      tx: async (work) => {
        await this.run('begin');
        try {
          const result = await work({ transaction: true, query } satisfies Tx);
          await this.run('commit');
          return result;
        } catch (error) {
          await this.run('rollback');
          throw error;
        }
      },
      listen: async () => async () => {},
      close: () => this.close(),
    };
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

const names = new Map<string, string>();

function nameOf(sql: string): string {
  const name = names.get(sql) ?? `s${names.size}`;
  names.set(sql, name);
  return name;
}
