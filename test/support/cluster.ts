/**
 * A shared PostgreSQL and real `seine` processes on it: workers that can be killed, paused and added. Everything is gone when
 * `close` returns.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../src/db/database.ts';
import { startEmbeddedServer } from '../../src/db/embedded/start.ts';
import { openDatabase } from '../../src/db/pool.ts';
import { temporaryFolder } from './database.ts';
import { exited } from './processes.ts';
import { type Ended, type Running, runSeine, type SeineOptions, startSeine } from './seine.ts';
import { PROCESS_TIMEOUT_MS, waitUntil } from './wait-for.ts';

export interface Cluster {
  readonly folder: string;
  readonly db: Database;
  readonly env: Readonly<Record<string, string>>;
  readonly workers: Running[];
  /** A worker of its own, ready when it says so. */
  addWorker(args?: readonly string[], options?: SeineOptions): Promise<Running>;
  run(args: readonly string[], options?: SeineOptions): Promise<Ended>;
  close(): Promise<void>;
}

const LEASE_SECONDS = '2';

export async function openCluster(env: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const folder = temporaryFolder();
  const server = await startEmbeddedServer(join(folder));
  const db = await openDatabase({ databaseUrl: server.connectionString, max: 4 });
  const workers: Running[] = [];
  const all = {
    DATABASE_URL: server.connectionString,
    SEINE_MODE: 'distributed',
    SEINE_DATA: join(folder, 'seine'),
    SEINE_FINGERPRINT_KEY: randomBytes(32).toString('hex'),
    SEINE_LEASE_SECONDS: LEASE_SECONDS,
    ...env,
  };
  const within = (options: SeineOptions = {}) => ({ ...options, env: { ...all, ...options.env } });
  return {
    folder,
    db,
    env: all,
    workers,
    async addWorker(args = [], options = {}) {
      // It may live as long as the file: `close` ends it.
      const worker = startSeine(
        ['worker', '--threads', '1', ...args],
        within({ timeoutMs: 1_200_000, ...options }),
      );
      workers.push(worker);
      void worker.ended.then(({ code, stderr }) => {
        workers.splice(workers.indexOf(worker), 1);
        if (code) process.stderr.write(`A worker ended with ${code}: ${stderr}\n`);
      });
      await untilSaid(worker, 'is ready');
      return worker;
    },
    run: (args, options) => runSeine(args, within(options)),
    async close() {
      const ends = workers.map((worker) => worker.ended);
      for (const worker of [...workers]) worker.kill('SIGKILL');
      await Promise.all(ends);
      await db.close();
      await server.close();
      rmSync(join(folder, 'postgres.json'), { force: true }); // the keeper takes that for the end
      await exited(folder);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function untilSaid(worker: Running, words: string): Promise<void> {
  let ended = false;
  void worker.ended.then(() => {
    ended = true;
  });
  const hasSaid = () => {
    if (ended) throw new Error(`A worker ended: ${worker.said()}`);
    return worker.said().includes(words);
  };
  const state = () => `"${words}" of a worker, which said: ${worker.said()}`;
  await waitUntil(state, hasSaid, { forMs: PROCESS_TIMEOUT_MS, everyMs: 20 });
}
