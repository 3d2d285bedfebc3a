/**
 * DBOS beside our workflows: queued no-op workflows, without and with one step, run by as many processes. Its best settings, as far
 * as we found them: no limit on the queue but a high one for each process, a poll of the queue every 50 ms (default 1,000; 10 and 200
 * were no better), pools of 20, no logs, no traces. Many at once go into one transaction: it has no other call for that.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { scaled } from '../benchmark.ts';
import { importCompetitor } from '../competitors.ts';
import { count, median } from '../figures.ts';
import { type RunnerProcess, startProcess } from './runners.ts';
import type { Stage } from './stage.ts';

/** What we use of it. */
export interface Dbos {
  readonly DBOS: {
    setConfig(config: object): void;
    registerWorkflow(run: () => Promise<void>, as: { name: string }): unknown;
    registerQueue(name: string, options: object): Promise<unknown>;
    runStep(step: () => Promise<void>, as: { name: string }): Promise<void>;
    launch(): Promise<void>;
    shutdown(): Promise<void>;
  };
  readonly DBOSClient: {
    create(options: { systemDatabaseUrl: string; systemDatabasePoolSize: number }): Promise<Client>;
  };
}
interface Client {
  enqueue(options: EnqueueOptions): Promise<unknown>;
  enqueueInTransaction(tx: pg.ClientBase, options: EnqueueOptions): Promise<unknown>;
  destroy(): Promise<void>;
}
interface EnqueueOptions {
  readonly queueName: string;
  readonly workflowName: string;
  readonly workflowID: string;
}

export const QUEUE = 'bench';
const KINDS = ['no action', 'an action'] as const;
const WAYS = [
  { name: '100 at once', callers: 4, batch: 100 },
  { name: 'one at a time', callers: 20, batch: 1 },
] as const;
const COMMANDS = 5000;
const CONNECTIONS = 20;
const MODULE = join(import.meta.dirname, 'dbos-process.ts');

/** Null: it is not installed. */
export function installedDbos(): Dbos | null {
  return importCompetitor('workflows', '@dbos-inc/dbos-sdk');
}

/** Workflows a second: by the row they stand in, one for each number of processes. */
export async function measureDbos(stage: Stage, processes: readonly number[]): Promise<[string, string[]][]> {
  const dbos = installedDbos();
  const rows = KINDS.flatMap((kind) =>
    WAYS.map((way) => ({ kind, way, name: `dbos, ${kind}\t${way.name}`, rates: [] as string[] })),
  );
  if (!dbos) return rows.map(({ name }) => [name, processes.map(() => 'not installed')]);
  const { bench } = stage;
  const commands = scaled(bench, COMMANDS, 400);
  for (const many of processes) {
    await withProcesses(stage, many, async (url) => {
      for (const { kind, way, rates } of rows) {
        const taken: number[] = [];
        for (let n = 0; n <= bench.runs; n++) taken.push(await enqueueAll(dbos, url, kind, way, commands));
        rates.push(count(commands / median(taken.slice(1)))); // the first warms up
      }
    });
  }
  return rows.map(({ name, rates }) => [name, rates]);
}

async function withProcesses(stage: Stage, many: number, measure: (url: string) => Promise<void>) {
  const url = await stage.newDatabase('dbos');
  const running: RunnerProcess[] = [];
  try {
    for (let n = 0; n < many; n++) {
      const worker = startProcess(MODULE, [url], stage.folder);
      running.push(worker);
      await worker.ready; // the first one makes the tables
    }
    await measure(url);
  } finally {
    for (const worker of running) worker.kill('SIGTERM');
    await Promise.all(running.map(({ ended }) => ended));
  }
}

/** Seconds from the first one until the last has succeeded. */
async function enqueueAll(
  dbos: Dbos,
  url: string,
  workflowName: string,
  { callers, batch }: (typeof WAYS)[number],
  commands: number,
): Promise<number> {
  const options = { systemDatabaseUrl: url, systemDatabasePoolSize: CONNECTIONS };
  const client = await dbos.DBOSClient.create(options);
  const pool = new pg.Pool({ connectionString: url, max: callers + 1 });
  await pool.query('vacuum analyze');
  const run = randomUUID();
  const began = performance.now();
  let next = 0;
  const caller = async () => {
    while (next < commands) {
      const from = next;
      next = Math.min(commands, from + batch);
      const ids = Array.from({ length: next - from }, (_, i) => `${run}-${from + i}`);
      const some = ids.map((workflowID) => ({ queueName: QUEUE, workflowName, workflowID }));
      if (batch === 1) await client.enqueue(some[0]!);
      else await enqueueTogether(pool, client, some);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  while ((await pool.query(SUCCEEDED, [`${run}%`])).rows[0].done < commands) await sleep(20);
  const seconds = (performance.now() - began) / 1000;
  await pool.end();
  await client.destroy();
  return seconds;
}

const SUCCEEDED = `select count(*)::int as done from dbos.workflow_status where status = 'SUCCESS' and workflow_uuid like $1`;

async function enqueueTogether(
  pool: pg.Pool,
  client: Client,
  some: readonly EnqueueOptions[],
): Promise<void> {
  const connection = await pool.connect();
  await connection.query('begin');
  for (const options of some) await client.enqueueInTransaction(connection, options);
  await connection.query('commit');
  connection.release();
}
