/** A PostgreSQL for many and real `seine` processes on it, as test/support/cluster.ts has them, in the folder of the run. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../src/db/pool.ts';
import type { Cluster } from '../test/support/cluster.ts';
import { type Running, runSeine, type SeineOptions, startSeine } from '../test/support/seine.ts';
import type { Bench } from './benchmark.ts';
import { shown } from './command.ts';
import { killWithParent } from './kill-with-parent.ts';
import { type Postgres, startPostgres } from './postgres.ts';

export interface SharedCluster extends Cluster {
  readonly postgres: Postgres;
  /** As many workers as that, and no other. */
  setWorkerCount(count: number, args?: readonly string[]): Promise<void>;
  /** Submits a scan to the workers and returns its number. */
  submit(target: string, args?: readonly string[]): Promise<number>;
}

const LEASE_SECONDS = '2';
const READY_TIMEOUT_MS = 60_000;

export async function openSharedCluster(
  bench: Bench,
  name: string,
  env: Readonly<Record<string, string>> = {},
  startServer: (folder: string) => Promise<Postgres> = startPostgres,
): Promise<SharedCluster> {
  const folder = join(bench.folder, `cluster-${name}`);
  const postgres = await startServer(folder);
  const db = await openDatabase({ databaseUrl: postgres.url, max: 4 });
  const workers: Running[] = [];
  const said = new Set<string>();
  const all = {
    DATABASE_URL: postgres.url,
    SEINE_MODE: 'distributed',
    SEINE_DATA: join(folder, 'seine'),
    SEINE_FINGERPRINT_KEY: randomBytes(32).toString('hex'),
    SEINE_LEASE_SECONDS: LEASE_SECONDS,
    ...env,
  };
  // Nothing here is hung because it takes long.
  const within = (options: SeineOptions = {}) => ({
    timeoutMs: 0,
    ...options,
    env: { ...all, ...options.env },
  });
  bench.log(`  ${postgres.about}; SEINE_LEASE_SECONDS=${all.SEINE_LEASE_SECONDS}`);

  /** Every different command is printed once. */
  function trace(words: readonly string[]): void {
    const line = shown(['seine', ...words]);
    if (!said.has(line)) bench.log(`  $ ${line}`);
    said.add(line);
  }

  async function addWorker(args: readonly string[] = [], options: SeineOptions = {}): Promise<Running> {
    const words = ['worker', '--threads', '1', ...args];
    trace(words);
    const worker = startSeine(words, within(options));
    const leashed = killWithParent(worker.pid, folder);
    workers.push(worker);
    void worker.ended.then(({ code, stderr }) => {
      workers.splice(workers.indexOf(worker), 1);
      void leashed.stop();
      if (code) bench.log(`    a worker ended with ${code}: ${lastLines(stderr)}`);
    });
    await untilReady(worker);
    return worker;
  }

  async function setWorkerCount(count: number, args: readonly string[] = []): Promise<void> {
    const leaving = workers.slice(count);
    for (const worker of leaving) worker.kill('SIGTERM');
    await Promise.all(leaving.map((worker) => worker.ended));
    await Promise.all(Array.from({ length: count - workers.length }, () => addWorker(args)));
  }

  async function submit(target: string, args: readonly string[] = []): Promise<number> {
    trace(['scan', target, ...args]);
    const { code, stdout, stderr } = await runSeine(['scan', target, ...args, '--json'], within());
    if (code !== 0) throw new Error(`seine scan ended with ${code}: ${stderr}`);
    return Number(JSON.parse(stdout).scan);
  }

  return {
    folder,
    db,
    env: all,
    workers,
    postgres,
    addWorker,
    setWorkerCount,
    submit,
    run: (args, options) => runSeine(args, within(options)),
    async close() {
      const ends = workers.map((worker) => worker.ended);
      for (const worker of [...workers]) worker.kill('SIGKILL');
      await Promise.all(ends);
      await db.close();
      await postgres.stop();
    },
  };
}

/** Why it ended, without progress output and stack trace. */
function lastLines(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => /^seine: |^ *error: /.test(line));
  return (lines.length > 0 ? lines : stderr.trim().split('\n')).slice(-2).join(' ').slice(0, 300);
}

/** One that never says so is ended, so that it shows. */
async function untilReady(worker: Running): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let ended = false;
  void worker.ended.then(() => {
    ended = true;
  });
  while (!worker.said().includes('is ready')) {
    if (ended) throw new Error(`A worker ended: ${worker.said()}`);
    if (Date.now() > deadline) {
      worker.kill('SIGKILL');
      throw new Error(`A worker was not ready after ${READY_TIMEOUT_MS / 1000} s: ${worker.said()}`);
    }
    await sleep(20);
  }
}
