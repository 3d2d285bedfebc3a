/**
 * Decides many commands, without writing anything. Each fails alone: a history that can't be folded, an invalid command and user code that throws are
 * the result of that command, and the others continue.
 */
import type { Queryable } from '../../db/database.ts';
import type { AppendRequest, NewEvent } from '../../events/append-store.ts';
import { attributesOf } from '../attributes/attributes.ts';
import { checkName } from '../check-name.ts';
import type { AnyWorkflow } from '../define.ts';
import type { VersionedState } from '../state/fold.ts';
import { type LoadedWorkflow, load } from '../state/load.ts';
import type { LoadRequest } from '../state/load-store.ts';
import type { SnapshotCandidate } from '../state/snapshots.ts';
import { type CodeLocation, UserCodeError } from '../user-code/code-error.ts';
import { EventLoopShare } from '../user-code/event-loop-share.ts';
import { type Command, type CommandResult, EVENT_IGNORED } from './command.ts';
import { runDecide } from './decide.ts';

/** Limits for a process that does other work too. */
export interface DecideTimeLimits {
  /** Commands not decided within this time are skipped, with the result `overtaken`. */
  readonly budgetMs: number;
  /** A slower command fails: it would block everything else in its process. */
  readonly maxMs: number;
  readonly slowMs: number;
  /** Called after a command that took longer than `slowMs`. */
  readonly onSlow: (command: Command, ms: number) => void;
}

/** Loads the states that commands are decided on. */
export interface StateSource {
  load(db: Queryable, workflow: AnyWorkflow, wanted: readonly LoadRequest[]): Promise<LoadedWorkflow[]>;
  /** Receives the state after an append. Not called within a transaction that may still be rolled back. */
  appended?(workflow: AnyWorkflow, written: AppendedWorkflow): void;
}

/** A workflow to which events were appended. */
export interface AppendedWorkflow extends SnapshotCandidate {
  readonly tenant: string;
  readonly id: string;
  /** The state the commands were decided on. */
  readonly loaded: LoadedWorkflow;
}

/** The events of all commands to one workflow. */
export interface PendingAppend {
  readonly tenant: string;
  readonly id: string;
  readonly loaded: LoadedWorkflow;
  /** Indexes of all commands decided on its state. */
  readonly numbers: number[];
  readonly events: NewEvent[];
  folded: VersionedState;
  attributes: string | null;
}

export interface DecidedBatch {
  /** One for each command. */
  readonly outcomes: CommandResult[];
  readonly pendingAppends: readonly PendingAppend[];
}

const NOT_DECIDED: CommandResult = { outcome: 'overtaken' };

interface DecideOptions {
  readonly pace?: DecideTimeLimits | null;
  readonly inOrder?: boolean;
  readonly source?: Pick<StateSource, 'load'>;
}

/**
 * Commands to one workflow are decided one after the other. With `inOrder`, after a command that failed and may be retried, the later ones to the same
 * workflow are skipped.
 */
export async function decideBatch(
  db: Queryable,
  workflow: AnyWorkflow,
  commands: readonly Command[],
  { pace = null, inOrder = false, source = { load } }: DecideOptions = {},
): Promise<DecidedBatch> {
  const outcomes = commands.map((command) => checkCommandIds(command) ?? NOT_DECIDED);
  const numbers = [...commands.keys()].filter((n) => outcomes[n] === NOT_DECIDED);
  const loaded = await loadAll(
    db,
    workflow,
    numbers.map((n) => commands[n]!),
    source,
  );
  const appends = new Map<string, PendingAppend>();
  const held = new Set<string>();
  const share = new EventLoopShare();
  const began = performance.now();
  for (const [i, n] of numbers.entries()) {
    const isLate = pace !== null && i > 0 && performance.now() - began > pace.budgetMs;
    const { tenant, id } = commands[n]!;
    const name = `${tenant}\0${id}`;
    if (isLate || held.has(name)) continue;
    const append = appends.get(name) ?? startAppend(tenant, id, loaded[i]!);
    appends.set(name, append);
    append.numbers.push(n);
    outcomes[n] = await decideNext(workflow, append, loaded[i]!, commands[n]!, pace);
    if (inOrder && outcomes[n].outcome === 'failed') held.add(name);
    if (share.isUsed) await share.yieldNow();
  }
  return { outcomes, pendingAppends: [...appends.values()] };
}

/** Checked per command, so that an invalid id does not fail the statement that reads all of them. */
function checkCommandIds({ tenant, id, commandId }: Command): CommandResult | null {
  try {
    checkName('The tenant of a workflow', tenant);
    checkName('The id of a workflow', id);
    checkName('The id of a command', commandId ?? '');
    return null;
  } catch (error) {
    return { outcome: 'failed', error };
  }
}

function loadAll(
  db: Queryable,
  workflow: AnyWorkflow,
  commands: readonly Command[],
  source: Pick<StateSource, 'load'>,
): Promise<LoadedWorkflow[]> | [] {
  if (commands.length === 0) return [];
  const wanted = commands.map(({ tenant, id, commandId = null }) => ({ tenant, id, commandId }));
  return source.load(db, workflow, wanted);
}

function startAppend(tenant: string, id: string, loaded: LoadedWorkflow): PendingAppend {
  return { tenant, id, loaded, numbers: [], events: [], folded: loaded.folded, attributes: null };
}

async function decideNext(
  workflow: AnyWorkflow,
  append: PendingAppend,
  { key, status, handled, now, headVersion, failure }: LoadedWorkflow,
  command: Command,
  pace: DecideTimeLimits | null,
): Promise<CommandResult> {
  const { id, commandId = null, trace } = command;
  const repeated =
    handled || (commandId !== null && append.events.some((event) => event.commandId === commandId));
  if (repeated) return { outcome: 'repeated', version: Math.max(append.folded.version, headVersion) };
  if (command.begins && (key !== null || append.events.length > 0)) {
    const reason = `There is a ${workflow.name} ${id} already; a child needs an id of its own.`;
    return { outcome: 'rejected', reason, taken: true };
  }
  if (status === 'paused') return { outcome: 'paused' };
  if (status !== 'running')
    return { outcome: 'rejected', reason: `${workflow.name} ${id} is ${status}`, ended: true };
  if (failure !== null) return { outcome: 'failed', error: failure };
  try {
    const { folded } = append;
    const place = {
      callback: 'decide',
      workflow: workflow.name,
      id,
      subject: describeCommand(command),
    } as const;
    const decided = await timed(command, pace, place, async () => {
      const typed =
        typeof command.command === 'function'
          ? command.command({ id, now, state: folded.state })
          : command.command;
      return typed && runDecide(workflow, folded, typed, { id, now });
    });
    if (decided === null) return EVENT_IGNORED;
    if ('rejected' in decided) return { outcome: 'rejected', reason: decided.rejected };
    const attributes = attributesOf(workflow, id, decided.folded.state);
    const events = decided.events.map((event, i) => ({
      ...event,
      ...(i === 0 && { commandId }),
      ...(trace && { trace }),
    }));
    append.events.push(...events);
    append.folded = decided.folded;
    append.attributes = attributes;
    return { outcome: 'accepted', version: decided.folded.version, events };
  } catch (error) {
    return { outcome: 'failed', error };
  }
}

/** Describes the command in messages. */
export function describeCommand({ command, about }: Command): string {
  return about ?? (typeof command === 'function' ? 'a command' : `the command ${command?.type}`);
}

async function timed<T>(
  command: Command,
  pace: DecideTimeLimits | null,
  place: CodeLocation,
  work: () => Promise<T>,
): Promise<T> {
  if (pace === null) return work();
  const began = performance.now();
  const result = await work();
  const ms = Math.round(performance.now() - began);
  if (ms > pace.slowMs) pace.onSlow(command, ms);
  if (ms <= pace.maxMs) return result;
  throw new UserCodeError(place, `it took ${ms} ms; the maximum in a runner is ${pace.maxMs} ms`, {
    hint: 'It blocks everything else in the process. Move slow work to an action.',
  });
}

export function appendOf(
  workflow: AnyWorkflow,
  { tenant, id, loaded, events, attributes }: PendingAppend,
): AppendRequest {
  const { key, folded } = loaded;
  return {
    tenant,
    workflow: workflow.name,
    id,
    key,
    expected: folded.version,
    events,
    attributes,
    codeVersion: workflow.version,
  };
}
