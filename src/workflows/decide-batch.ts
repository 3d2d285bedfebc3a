/**
 * Decides many commands, without writing anything. Each fails alone: a history that can't be folded, a command that makes no sense and code
 * that throws are the outcome of that command, and the others go on.
 */
import type { Queryable } from '../db/database.ts';
import type { Append, NewEvent } from '../events/append-store.ts';
import { attributesOf } from './attributes/attributes.ts';
import { checkName } from './check-name.ts';
import { type Command, NOT_WANTED, type Outcome } from './command.ts';
import { decideOn } from './decide.ts';
import type { AnyWorkflow } from './define.ts';
import type { Folded } from './fold.ts';
import { type Loaded, load } from './load.ts';
import type { Wanted } from './load-store.ts';
import type { Passed } from './snapshots.ts';
import { CodeError, type CodePlace } from './user-code/code-error.ts';
import { EventLoopShare } from './user-code/event-loop-share.ts';

/** Limits of a process that does other work beside this. */
export interface Pace {
  /** Commands that are not decided after so many milliseconds are left, as if they had been overtaken. */
  readonly budgetMs: number;
  /** A command that takes longer fails: it would stop everything else in its process. */
  readonly mostMs: number;
  readonly slowMs: number;
  /** It took longer than `slowMs`. */
  readonly onSlow: (command: Command, ms: number) => void;
}

/** Where the states come from that commands are decided on. */
export interface StateSource {
  load(db: Queryable, workflow: AnyWorkflow, wanted: readonly Wanted[]): Promise<Loaded[]>;
  /** The state after what was appended. Not called within a transaction that may still be rolled back. */
  appended?(workflow: AnyWorkflow, written: Written): void;
}

/** A workflow whose events were written. */
export interface Written extends Passed {
  readonly tenant: string;
  readonly id: string;
  /** What the commands were decided on. */
  readonly loaded: Loaded;
}

/** What the commands of one workflow come to. */
export interface Story {
  readonly tenant: string;
  readonly id: string;
  readonly loaded: Loaded;
  /** Of all commands to it that were decided on its state. */
  readonly numbers: number[];
  readonly events: NewEvent[];
  folded: Folded;
  attributes: string | null;
}

export interface Batch {
  /** One for each command. */
  readonly outcomes: Outcome[];
  readonly stories: readonly Story[];
}

const LATER: Outcome = { outcome: 'overtaken' };

interface DecideOptions {
  readonly pace?: Pace | null;
  readonly inOrder?: boolean;
  readonly source?: Pick<StateSource, 'load'>;
}

/**
 * Several commands to one workflow are decided one after the other. In order: after one that failed, and may be tried again, the later ones
 * to the same workflow are left.
 */
export async function decideBatch(
  db: Queryable,
  workflow: AnyWorkflow,
  commands: readonly Command[],
  { pace = null, inOrder = false, source = { load } }: DecideOptions = {},
): Promise<Batch> {
  const outcomes = commands.map((command) => refusalOf(command) ?? LATER);
  const numbers = [...commands.keys()].filter((n) => outcomes[n] === LATER);
  const loaded = await loadAll(
    db,
    workflow,
    numbers.map((n) => commands[n]!),
    source,
  );
  const stories = new Map<string, Story>();
  const held = new Set<string>();
  const share = new EventLoopShare();
  const began = performance.now();
  for (const [i, n] of numbers.entries()) {
    const isLate = pace !== null && i > 0 && performance.now() - began > pace.budgetMs;
    const { tenant, id } = commands[n]!;
    const name = `${tenant}\0${id}`;
    if (isLate || held.has(name)) continue;
    const story = stories.get(name) ?? begin(tenant, id, loaded[i]!);
    stories.set(name, story);
    story.numbers.push(n);
    outcomes[n] = await decideNext(workflow, story, loaded[i]!, commands[n]!, pace);
    if (inOrder && outcomes[n].outcome === 'failed') held.add(name);
    if (share.isUsed) await share.yieldNow();
  }
  return { outcomes, stories: [...stories.values()] };
}

/** Found here, and not by the statement that looks up all of them. */
function refusalOf({ tenant, id, commandId }: Command): Outcome | null {
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
): Promise<Loaded[]> | [] {
  if (commands.length === 0) return [];
  const wanted = commands.map(({ tenant, id, commandId = null }) => ({ tenant, id, commandId }));
  return source.load(db, workflow, wanted);
}

function begin(tenant: string, id: string, loaded: Loaded): Story {
  return { tenant, id, loaded, numbers: [], events: [], folded: loaded.folded, attributes: null };
}

async function decideNext(
  workflow: AnyWorkflow,
  story: Story,
  { key, status, handled, now, headVersion, failure }: Loaded,
  command: Command,
  pace: Pace | null,
): Promise<Outcome> {
  const { id, commandId = null, trace } = command;
  const repeated =
    handled || (commandId !== null && story.events.some((event) => event.commandId === commandId));
  if (repeated) return { outcome: 'repeated', version: Math.max(story.folded.version, headVersion) };
  if (command.begins && (key !== null || story.events.length > 0)) {
    const reason = `There is a ${workflow.name} ${id} already; a child needs an id of its own.`;
    return { outcome: 'rejected', reason, taken: true };
  }
  if (status === 'paused') return { outcome: 'paused' };
  if (status !== 'running')
    return { outcome: 'rejected', reason: `${workflow.name} ${id} is ${status}`, ended: true };
  if (failure !== null) return { outcome: 'failed', error: failure };
  try {
    const { folded } = story;
    const place = { callback: 'decide', workflow: workflow.name, id, subject: subjectOf(command) } as const;
    const decided = await timed(command, pace, place, async () => {
      const typed =
        typeof command.command === 'function'
          ? command.command({ id, now, state: folded.state })
          : command.command;
      return typed && decideOn(workflow, folded, typed, { id, now });
    });
    if (decided === null) return NOT_WANTED;
    if ('rejected' in decided) return { outcome: 'rejected', reason: decided.rejected };
    const attributes = attributesOf(workflow, id, decided.folded.state);
    const events = decided.events.map((event, i) => ({
      ...event,
      ...(i === 0 && { commandId }),
      ...(trace && { trace }),
    }));
    story.events.push(...events);
    story.folded = decided.folded;
    story.attributes = attributes;
    return { outcome: 'accepted', version: decided.folded.version, events };
  } catch (error) {
    return { outcome: 'failed', error };
  }
}

/** For messages about it. */
export function subjectOf({ command, about }: Command): string {
  return about ?? (typeof command === 'function' ? 'a command' : `the command ${command?.type}`);
}

async function timed<T>(
  command: Command,
  pace: Pace | null,
  place: CodePlace,
  work: () => Promise<T>,
): Promise<T> {
  if (pace === null) return work();
  const began = performance.now();
  const result = await work();
  const ms = Math.round(performance.now() - began);
  if (ms > pace.slowMs) pace.onSlow(command, ms);
  if (ms <= pace.mostMs) return result;
  throw new CodeError(place, `it took ${ms} ms; ${pace.mostMs} ms are the most in a runner`, {
    hint: 'Everything else in the process stands still meanwhile. Do what takes long in an action.',
  });
}

export function appendOf(workflow: AnyWorkflow, { tenant, id, loaded, events, attributes }: Story): Append {
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
