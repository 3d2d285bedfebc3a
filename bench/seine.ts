/** Seine as its users run it, with a data folder of its own, and access to its database afterwards. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/db/database.ts';
import { locateCluster } from '../src/db/embedded/cluster.ts';
import { serverPid } from '../src/db/embedded/server.ts';
import { openDatabase } from '../src/db/pool.ts';
import type { Bench } from './benchmark.ts';
import { familyCpu, type Ran, type Running, type RunOptions, run, shown, start } from './command.ts';
import { childrenOf } from './processes.ts';

export const ROOT = dirname(import.meta.dirname);
/** Seconds after which an unused server stops. Long enough to keep it running from one command to the next. */
const IDLE_STOP = '3';
const STOP_TIMEOUT_MS = 30_000;

export interface Coverage {
  readonly listed: number;
  readonly ledgered: number;
  readonly ledger: readonly { readonly outcome: string; readonly objects: number; readonly bytes: number }[];
}

export class Seine {
  readonly data: string;
  readonly #home: string;
  readonly #said = new Set<string>();
  readonly #bench: Bench;

  constructor(bench: Bench, name: string, home = ROOT) {
    this.#bench = bench;
    this.#home = home;
    this.data = join(bench.folder, `data-${name}`);
    mkdirSync(this.data, { recursive: true });
  }

  /** Every different command is printed once. */
  start(words: readonly string[], options: RunOptions = {}): Running {
    const all = this.words(words);
    const line = shown(all);
    if (!this.#said.has(line)) this.#bench.log(`  $ ${line}`);
    this.#said.add(line);
    return start(all, { ...options, env: { SEINE_IDLE_STOP: IDLE_STOP, ...options.env } });
  }

  words(words: readonly string[]): string[] {
    return [join(this.#home, 'seine'), ...words, '--data', this.data];
  }

  async run(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return done(words, await this.start(words, options).ended);
  }

  /** Without a word about it: a question, not a measurement. */
  async ask<T>(words: readonly string[]): Promise<T> {
    const asked = await run(this.words(words), { env: { SEINE_IDLE_STOP: IDLE_STOP } });
    return JSON.parse(done(words, asked).stdout) as T;
  }

  coverage(scan: number): Promise<Coverage> {
    return this.ask<Coverage>(['coverage', String(scan), '--json']);
  }

  async query<T extends object>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
    const db = await this.open();
    try {
      return (await db.query<T>(sql, [...values])).rows;
    } finally {
      await db.close();
    }
  }

  open(): Promise<Database> {
    return openDatabase({ databaseUrl: undefined, dataFolder: this.data });
  }

  /** The newest scan there is, whatever became of it. */
  async newest(): Promise<{ id: number; status: string; findings: number } | null> {
    const rows = await this.query<{ id: number; status: string; findings: number }>(
      `select id, status, (select count(*)::int from finding join object_result as object on object.id = object_id where scan_id = scan.id) as findings
       from scan order by id desc limit 1`,
    );
    return rows[0] ?? null;
  }

  /** Of the server and all its processes so far, those that have ended included; null when it does not run. */
  serverCpu(): number | null {
    const pid = this.#server();
    return pid === null ? null : familyCpu(pid);
  }

  /** Memory of the server's processes now, what they share counted once. */
  serverBytes(): number {
    const pid = this.#server();
    return pid === null ? 0 : [pid, ...childrenOf(pid)].reduce((sum, each) => sum + shareOf(each), 0);
  }

  /** Waits until the server has stopped by itself. */
  async stopped(): Promise<void> {
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while (this.#server() !== null) {
      if (Date.now() > deadline) throw new Error(`The server of ${this.data} does not stop.`);
      await sleep(50);
    }
  }

  #server(): number | null {
    return existsSync(join(this.data, 'postgres.json')) ? serverPid(locateCluster(this.data)) : null;
  }
}

function done(words: readonly string[], ran: Ran): Ran {
  if (ran.code === 0) return ran;
  throw new Error(`seine ${words[0]} ended with ${ran.code ?? ran.signal}:\n${ran.stderr.slice(-2000)}`);
}

function shareOf(pid: number): number {
  try {
    const pss = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return Number(pss?.[1] ?? 0) * 1024;
  } catch {
    return 0; // ended meanwhile
  }
}
