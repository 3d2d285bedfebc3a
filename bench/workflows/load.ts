/** Commands at a steady rate, and what became of them: read from the tables afterwards, by the database's clock alone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, one } from '../../src/db/database.ts';
import { WorkflowClient } from '../../src/workflows/client.ts';
import type { Noting } from './kinds.ts';

export interface Load {
  /** Commands so far. */
  readonly sent: () => number;
  /** Sends no more; resolves when the last one was accepted. */
  stop(): Promise<void>;
}

const TICK_MS = 10;

/** Over so many workflows in turn. What is late is caught up: a slow server is not spared. */
export function startLoad(db: Database, workflow: Noting, perSecond: number, workflows: number): Load {
  const client = new WorkflowClient(db);
  const began = performance.now();
  let sent = 0;
  let stopping = false;
  const run = async () => {
    while (!stopping) {
      const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
      const some = Array.from({ length: Math.min(due - sent, workflows) }, (_, i) => sent + i);
      if (some.length > 0)
        await client.sendAll(
          workflow,
          some.map((n) => ({ id: `load-${n % workflows}`, command: { type: 'note' as const, n } })),
        );
      sent += some.length;
      await sleep(TICK_MS);
    }
  };
  const ended = run();
  return {
    sent: () => sent,
    stop: async () => {
      stopping = true;
      await ended;
    },
  };
}

/** Until nothing is under way: every event reacted to, every action ended. False if that takes too long. */
export async function settled(db: Database, workflow: string, timeoutMs = 60_000): Promise<boolean> {
  for (const until = performance.now() + timeoutMs; performance.now() < until; await sleep(100)) {
    const { open } = await one<{ open: number }>(
      db,
      `select (select count(*) from workflow left join reaction on workflow_key = key
               where name = $1 and reaction.version is distinct from workflow.version)
            + (select count(*) from action where workflow = $1 and state in ('waiting', 'running')) as open`,
      [workflow],
    );
    if (open === 0) return true;
  }
  return false;
}

export interface Waits {
  readonly events: number;
  /** Milliseconds from an event of a command to what its reaction wrote. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/** Of the events of commands: the action that each requests records when it was reacted to. */
export function readWaits(db: Database, workflow: string): Promise<Waits> {
  return one<Waits>(
    db,
    `select count(*) as events,
            percentile_cont(0.5) within group (order by ms) as p50,
            percentile_cont(0.99) within group (order by ms) as p99,
            max(ms)::double precision as longest
     from (
       select extract(epoch from action.created_at - event.at)::double precision * 1000 as ms
       from event join action using (workflow_key, version)
       where event.workflow = $1 and event.type = 'noted') waited`,
    [workflow],
  );
}

/** What must be none: events without a reaction, reactions without their action, effects that were had twice or never. */
export async function readFaults(db: Database, workflow: string): Promise<Faults> {
  return one<Faults>(
    db,
    `select (select count(*) from workflow left join reaction on workflow_key = key
             where name = $1 and reaction.version is distinct from workflow.version)
          + (select count(*) from event left join action using (workflow_key, version)
             where event.workflow = $1 and event.type = 'noted' and action.id is null) as skipped,
            (select count(*) from public.effect where times > 1) as doubles,
            (select count(*) from action where workflow = $1) - (select count(*) from public.effect) as missing`,
    [workflow],
  );
}

export interface Faults {
  readonly skipped: number;
  readonly doubles: number;
  readonly missing: number;
}
