/**
 * Commands: load, decide, append. Optimistic: no lock is held meanwhile, and on a version conflict the command is decided again on the new state. A
 * command with an id takes effect once, however often it is sent.
 */
import { messageOf, SeineError } from '../../base/errors.ts';
import { backoff, timers } from '../../base/retry.ts';
import type { Queryable } from '../../db/database.ts';
import { rejectionReason } from '../../db/rejected-data.ts';
import { writeWithBisection } from '../../db/write-with-bisection.ts';
import { appendEvents } from '../../events/append-store.ts';
import type { AnyWorkflow } from '../define.ts';
import { load } from '../state/load.ts';
import { takeSnapshots } from '../state/snapshots.ts';
import { startCommands } from '../telemetry/spans.ts';
import type { Command, CommandResult } from './command.ts';
import {
  type AppendedWorkflow,
  appendOf,
  type DecidedBatch,
  decideBatch,
  type StateSource,
} from './decide-batch.ts';

export type { Command, CommandResult } from './command.ts';

const MAX_ATTEMPTS = 50;
const OVERTAKEN: CommandResult = { outcome: 'overtaken' };
const CACHE_WAS_STALE: CommandResult = { outcome: 'overtaken', assumed: true };

/** Retries on conflicts. Several commands to one workflow take effect in the given order. */
export async function handleCommands(
  db: Queryable,
  workflow: AnyWorkflow,
  commands: readonly Command[],
): Promise<CommandResult[]> {
  const { traced, end, failed } = startCommands(workflow.name, commands, 'sent');
  try {
    const outcomes = await handleUntilDone(db, workflow, traced);
    end(outcomes);
    return outcomes;
  } catch (error) {
    failed(error);
    throw error;
  }
}

async function handleUntilDone(
  db: Queryable,
  workflow: AnyWorkflow,
  commands: readonly Command[],
): Promise<CommandResult[]> {
  const outcomes = await handleOnce(db, workflow, commands);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const again = overtaken(outcomes);
    if (again.length === 0) return outcomes;
    if (attempt > 0) await timers.sleep(backoff(attempt, { firstMs: 2, maxMs: 100 }));
    const some = again.map((n) => commands[n]!);
    const more = await handleOnce(db, workflow, some);
    for (const [i, n] of again.entries()) outcomes[n] = more[i]!;
  }
  for (const n of overtaken(outcomes))
    outcomes[n] = { outcome: 'failed', error: contentionError(workflow, commands[n]!) };
  return outcomes;
}

function overtaken(outcomes: readonly CommandResult[]): number[] {
  return [...outcomes.keys()].filter((n) => outcomes[n]!.outcome === 'overtaken');
}

function contentionError({ name }: AnyWorkflow, { id }: Command): SeineError {
  return new SeineError('conflict', `Too many concurrent writes to ${name} ${id}.`, {
    hint: 'Try again in a moment.',
    retry: true,
  });
}

/** Tries each once; `overtaken` ones have written nothing. A command whose events the database rejects fails alone. */
export function handleOnce(
  db: Queryable,
  workflow: AnyWorkflow,
  commands: readonly Command[],
  source: StateSource = { load },
): Promise<CommandResult[]> {
  const behind = new Set<string>();
  /** After an `overtaken` command, the later ones to the same workflow are skipped too, to keep their order. */
  const handle = async (some: readonly Command[]): Promise<CommandResult[]> => {
    const ready = some.filter((command) => !behind.has(nameOf(command)));
    const handled = ready.length > 0 ? await handleTogether(db, workflow, ready, source) : [];
    const outcomes = new Map(ready.map((command, n) => [command, handled[n]!]));
    const all = some.map((command) => outcomes.get(command) ?? OVERTAKEN);
    for (const [n, { outcome }] of all.entries()) if (outcome === 'overtaken') behind.add(nameOf(some[n]!));
    return all;
  };
  return writeWithBisection(commands, handle, ({ id }, error) => ({
    outcome: 'failed',
    error: notStored(workflow, id, error),
  }));
}

function nameOf({ tenant, id }: Command): string {
  return `${String(tenant)}\0${String(id)}`; // not validated yet, so of any type
}

export function notStored({ name }: AnyWorkflow, id: string, cause: unknown): SeineError {
  return new SeineError(
    'limit',
    `The database rejected an event of ${name} ${id}: ${rejectionReason(cause)}.`,
    {
      hint: 'Correct what `decide` returns: its events contain something that PostgreSQL cannot store.',
      cause,
    },
  );
}

async function handleTogether(
  db: Queryable,
  workflow: AnyWorkflow,
  commands: readonly Command[],
  source: StateSource,
): Promise<CommandResult[]> {
  const { outcomes, written } = await decideAndAppend(db, workflow, commands, source);
  for (const one of written) source.appended?.(workflow, one);
  await takeSnapshots(db, workflow, written);
  return outcomes;
}

/** In a transaction or alone: nothing else that could fail is done. */
export async function decideAndAppend(
  db: Queryable,
  workflow: AnyWorkflow,
  commands: readonly Command[],
  source: StateSource,
): Promise<{ readonly outcomes: CommandResult[]; readonly written: AppendedWorkflow[] }> {
  const batch = await decideBatch(db, workflow, commands, { source });
  const written = await appendBatch(db, workflow, batch);
  return { outcomes: batch.outcomes, written };
}

/** Returns the workflows appended to. Commands to the others become `overtaken`, including rejected ones: they were decided on a stale state. */
export async function appendBatch(
  db: Queryable,
  workflow: AnyWorkflow,
  { outcomes, pendingAppends }: DecidedBatch,
): Promise<AppendedWorkflow[]> {
  // A cached state is confirmed only by an append that expects its version.
  for (const { events, loaded, numbers } of pendingAppends)
    if (events.length === 0 && loaded.assumed) for (const n of numbers) outcomes[n] = CACHE_WAS_STALE;
  const written = pendingAppends.filter(({ events }) => events.length > 0);
  if (written.length === 0) return [];
  const appends = written.map((pending) => appendOf(workflow, pending));
  const keys = await appendEvents(db, appends);
  const kept: AppendedWorkflow[] = [];
  for (const [i, pending] of written.entries()) {
    const key = keys[i]!;
    const { tenant, id, loaded, folded } = pending;
    if (key !== null) kept.push({ tenant, id, key, loaded, from: loaded.folded.version, folded });
    else for (const n of pending.numbers) outcomes[n] = loaded.assumed ? CACHE_WAS_STALE : OVERTAKEN;
  }
  return kept;
}

/** For callers with a single command: throws its error. */
export function throwIfFailed(outcome: CommandResult, workflow: string, id: string): CommandResult {
  if (outcome.outcome !== 'failed') return outcome;
  const { error } = outcome;
  if (error instanceof SeineError) throw error;
  throw new SeineError('internal', `${workflow} ${id} could not decide: ${messageOf(error)}`, {
    cause: error,
  });
}
