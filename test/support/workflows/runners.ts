/**
 * Real runner processes on a private PostgreSQL, commands for them, and checks of the result: each effect once, no event skipped, in
 * order. `close` removes everything.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { withRetry } from '../../../src/base/retry.ts';
import { type Database, one } from '../../../src/db/database.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { handleCommands } from '../../../src/workflows/commands/handle.ts';
import { temporaryFolder } from '../database.ts';
import { exited } from '../processes.ts';
import { CHECKOUT } from '../seine.ts';
import { waitFor } from '../wait-for.ts';
import { type SteadyCommand, steady } from './steady.ts';

export interface RunnerProcess {
  readonly pid: number;
  readonly partition: string | null;
  /** Its exit code; null: by a signal. */
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
  said(): string;
}

export interface StartOptions {
  /** `0/3`; null: slots. */
  readonly partition?: string | null;
  readonly env?: Readonly<Record<string, string>>;
  /** The module that runs: that of steady.ts if it isn't given. */
  readonly main?: string;
}

/** What must be true when everything was done. */
export interface Audit {
  readonly events: number;
  /** Workflows with events without a reaction. */
  readonly behind: number;
  /** Actions for each event that asks for one: as many. */
  readonly asked: number;
  readonly actions: number;
  /** Effects outside, one for each key. */
  readonly effects: number;
  /** Calls above one for each effect: whose process died may have called already. */
  readonly again: number;
  /** Results that were written. */
  readonly results: number;
  /** Actions that were asked for after those of later events, or on another state than that of their event. */
  readonly disorder: number;
  readonly parked: number;
}

export interface Runners {
  readonly db: Database;
  readonly data: string;
  readonly processes: RunnerProcess[];
  start(options?: StartOptions): Promise<RunnerProcess>;
  /** Sends each of these workflows a command. */
  send(ids: readonly string[], command?: SteadyCommand): Promise<void>;
  /** Resolves when so many actions are done. */
  done(count: number): Promise<void>;
  /** When nothing is left to do. */
  settled(): Promise<Audit>;
  /** As if nothing had happened yet: no processes, no workflows, no layout. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

const WAIT_TIMEOUT_MS = 10_000;
const MAIN = join(CHECKOUT, 'test/support/workflows/steady-runner.ts');
const TABLES = 'outside, dead_letter, message, subscription, reader, layout, workflow, lease_group, worker';

/** `databaseUrl`: an existing server; default: a private one. */
export async function openRunners(leaseMs: number, databaseUrl?: string): Promise<Runners> {
  const folder = temporaryFolder();
  const data = join(folder, 'seine');
  const db = await openDatabase({ databaseUrl, dataFolder: data, max: 6 });
  await migrate(db);
  await db.query(
    'create table outside (key text primary key, calls integer not null, events integer not null, pid integer not null)',
  );
  const processes: RunnerProcess[] = [];
  const env = {
    STEADY_LEASE_MS: String(leaseMs),
    SEINE_DATA: data,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };

  async function killAll(): Promise<void> {
    const ends = processes.map(({ ended }) => ended);
    for (const one of [...processes]) one.kill('SIGKILL');
    await Promise.all(ends);
  }

  return {
    db,
    data,
    processes,
    async start({ partition = null, env: more = {}, main = MAIN } = {}) {
      const started = spawnRunner(main, partition, { ...env, ...more });
      processes.push(started);
      const ended = started.ended.then(() => {
        processes.splice(processes.indexOf(started), 1);
        return 'ended' as const;
      });
      const ready = waitFor(db, 'a runner to be ready', async () =>
        started.said().includes('is ready') ? true : null,
      );
      if ((await Promise.race([ended, ready])) === 'ended')
        throw new Error(`A runner ended: ${started.said()}`);
      return started;
    },
    async send(ids, command = { type: 'step' }) {
      const commands = ids.map((id) => ({ tenant: 'default', id, command }));
      // What is in each other's way is sent again, as by any program.
      await withRetry(() => handleCommands(db, steady(null), commands), { forMs: WAIT_TIMEOUT_MS });
    },
    async done(count) {
      await waitFor(db, `${count} actions to be done`, async () =>
        (await one<{ n: number }>(db, `select count(*) as n from action where state = 'done'`)).n >= count
          ? true
          : null,
      );
    },
    settled: () =>
      waitFor(db, 'everything to be done', async () => {
        if (await isBusy(db)) return null;
        const audit = await auditOf(db);
        return audit.behind === 0 && audit.results >= audit.asked ? audit : null;
      }),
    async clear() {
      await killAll();
      // What the dead have sent may still be under way, and then one of the two gives way.
      await withRetry(() => db.query(`truncate ${TABLES} cascade`), { forMs: WAIT_TIMEOUT_MS });
    },
    async close() {
      await killAll();
      await db.close();
      rmSync(join(data, 'postgres.json'), { force: true }); // the keeper takes that for the end
      await exited(folder);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function spawnRunner(
  main: string,
  partition: string | null,
  env: Readonly<Record<string, string>>,
): RunnerProcess {
  const { PATH = '/usr/bin:/bin', HOME = '/' } = process.env;
  const NODE_COMPILE_CACHE = join(CHECKOUT, 'node_modules/.cache/seine');
  const child = spawn(process.execPath, [main, ...(partition === null ? [] : [partition])], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  return {
    pid: child.pid!,
    partition,
    ended: new Promise((resolve) => child.on('close', resolve)),
    kill: (signal) => void child.kill(signal),
    said: () => said,
  };
}

/** Cheaper than the audit, which reads everything. */
async function isBusy(db: Database): Promise<boolean> {
  const { busy } = await one<{ busy: boolean }>(
    db,
    `select exists (select from action where state in ('waiting', 'running'))
         or exists (select from workflow left join reaction on workflow_key = key
                    where workflow.version > coalesce(reaction.version, 0)) as busy`,
  );
  return busy;
}

function auditOf(db: Database): Promise<Audit> {
  return one<Audit>(
    db,
    `select (select count(*) from event) as events,
            (select count(*) from workflow left join reaction on workflow_key = key
             where workflow.version > coalesce(reaction.version, 0)) as behind,
            (select count(*) from event where type = 'stepped' or type = 'walked' and (data->>'last')::boolean) as asked,
            (select count(*) from action) as actions,
            (select count(*) from outside) as effects,
            (select coalesce(sum(calls - 1), 0) from outside)::bigint as again,
            (select count(*) from event where type = 'work.done') as results,
            (select count(*) from (
               select version, lag(version, 1, 0::bigint) over (partition by workflow_key order by id) as before,
                      (input->>'events')::bigint as events
               from action) as a
             where version <= before or events <> version) as disorder,
            (select count(*) from reaction where parked_at is not null) as parked`,
  );
}

/** What is not as it must be; empty if everything is. */
export function faultsOf(audit: Audit): string[] {
  const { asked, actions, effects, results, disorder, parked, behind } = audit;
  return [
    ...(behind > 0 ? [`${behind} workflows have events without a reaction`] : []),
    ...(actions !== asked ? [`${asked} events asked for ${actions} actions`] : []),
    ...(effects !== asked ? [`${asked} actions had ${effects} effects`] : []),
    ...(results !== asked ? [`${asked} actions had ${results} results`] : []),
    ...(disorder > 0 ? [`${disorder} actions were asked for out of order`] : []),
    ...(parked > 0 ? [`${parked} workflows are parked`] : []),
  ];
}
