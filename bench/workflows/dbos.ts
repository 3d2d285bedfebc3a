/**
 * DBOS beside our workflows: queued no-op workflows, without and with one step, run by as many processes. Its best settings, as far
 * as we found them: no limit on the queue but a high one for each process, a look at the queue every 10 ms (1,000 unless told), a pool of 20
 * for each process, no logs, no traces. It has no call for many at once, so 50 callers enqueue one each.
 */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { scaled } from '../benchmark.ts';
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
    create(options: { systemDatabaseUrl: string }): Promise<{
      enqueue(options: { queueName: string; workflowName: string; workflowID: string }): Promise<unknown>;
      destroy(): Promise<void>;
    }>;
  };
}

export const QUEUE = 'bench';
const KINDS = ['no action', 'an action'] as const;
const CALLERS = 50;
const MODULE = join(import.meta.dirname, 'dbos-process.ts');

/** Null: it is not installed. */
export function installedDbos(): Dbos | null {
  try {
    return createRequire(import.meta.url)('@dbos-inc/dbos-sdk');
  } catch {
    return null;
  }
}

/** Workflows a second: by the row they stand in, one for each number of processes. */
export async function measureDbos(stage: Stage, processes: readonly number[]): Promise<[string, string[]][]> {
  const dbos = installedDbos();
  const rows = KINDS.map((kind): [string, string[]] => [`dbos, ${kind}\tone at a time`, []]);
  if (!dbos) return rows.map(([row]) => [row, processes.map(() => 'not installed')]);
  const { bench, folder } = stage;
  const commands = scaled(bench, 5000, CALLERS);
  for (const count_ of processes) {
    const url = await stage.newDatabase('dbos');
    const running: RunnerProcess[] = [];
    try {
      for (let n = 0; n < count_; n++) {
        const worker = startProcess(MODULE, [url], folder);
        running.push(worker);
        await worker.ready; // the first one makes the tables
      }
      for (const [i, kind] of KINDS.entries()) {
        const taken: number[] = [];
        for (let n = 0; n <= bench.runs; n++) taken.push(await enqueueAll(dbos, url, kind, commands));
        rows[i]![1].push(count(commands / median(taken.slice(1)))); // the first warms up
      }
    } finally {
      for (const worker of running) worker.kill('SIGTERM');
      await Promise.all(running.map(({ ended }) => ended));
    }
  }
  return rows;
}

async function enqueueAll(dbos: Dbos, url: string, workflowName: string, commands: number): Promise<number> {
  const client = await dbos.DBOSClient.create({ systemDatabaseUrl: url });
  const look = new pg.Client({ connectionString: url });
  await look.connect();
  await look.query('vacuum analyze');
  const run = randomUUID();
  const began = performance.now();
  let next = 0;
  const caller = async () => {
    while (next < commands)
      await client.enqueue({ queueName: QUEUE, workflowName, workflowID: `${run}-${next++}` });
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const done = `select count(*)::int as done from dbos.workflow_status where status = 'SUCCESS' and workflow_uuid like $1`;
  while ((await look.query(done, [`${run}%`])).rows[0].done < commands) await sleep(20);
  const seconds = (performance.now() - began) / 1000;
  await look.end();
  await client.destroy();
  return seconds;
}
