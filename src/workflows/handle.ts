/**
 * Commands: load, decide, append. Nobody holds a lock meanwhile; who finds that another command came first decides again on the new
 * state. A command with an id has its effect once, however often it is sent.
 */
import { messageOf, SeineError } from '../base/errors.ts';
import { backoff, pauses } from '../base/retry.ts';
import type { Queryable } from '../db/database.ts';
import { storable } from '../db/storable.ts';
import { type Append, appendEvents, type NewEvent } from '../events/append-store.ts';
import { checkName } from './check-name.ts';
import { decideOn } from './decide.ts';
import type { AnyWorkflow } from './define.ts';
import type { Folded } from './fold.ts';
import { type Loaded, load } from './load.ts';
import { saveSnapshots, type Wanted } from './load-store.ts';
import type { Typed } from './typed.ts';

export interface Command {
  readonly tenant: string;
  readonly id: string;
  readonly command: Typed;
  readonly commandId?: string | null;
}

export type Outcome =
  | { readonly outcome: 'accepted'; readonly version: number; readonly events: readonly NewEvent[] }
  /** Its effect was there before. */
  | { readonly outcome: 'repeated'; readonly version: number }
  | { readonly outcome: 'rejected'; readonly reason: string }
  | { readonly outcome: 'paused' }
  /** The workflow's own code threw, or what it decided on could not be written. */
  | { readonly outcome: 'failed'; readonly error: unknown }
  /** Another command came first: nothing was written. */
  | { readonly outcome: 'overtaken' };

/** Where the states come from that commands are decided on. */
export interface StateSource {
  load(db: Queryable, workflow: AnyWorkflow, wanted: readonly Wanted[]): Promise<Loaded[]>;
  /** The state after what was appended. Not called within a transaction that may still be rolled back. */
  appended?(workflow: AnyWorkflow, written: Written): void;
}

export interface Written {
  readonly tenant: string;
  readonly id: string;
  readonly key: number;
  /** What the commands were decided on. */
  readonly loaded: Loaded;
  readonly folded: Folded;
}

const TRIES = 50;

/** As often as others come first. Workflows may stand several times among them: their commands take effect in this order. */
export async function handleCommands(
  db: Queryable,
  workflow: AnyWorkflow,
  commands: readonly Command[],
): Promise<Outcome[]> {
  const outcomes = await handleOnce(db, workflow, commands);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const again = [...outcomes.keys()].filter((n) => outcomes[n]!.outcome === 'overtaken');
    if (again.length === 0) return outcomes;
    if (attempt > 0) await pauses.spend(backoff(attempt, { firstMs: 2, mostMs: 100 }));
    const more = await handleOnce(
      db,
      workflow,
      again.map((n) => commands[n]!),
    );
    for (const [i, n] of again.entries()) outcomes[n] = more[i]!;
  }
  const busy = commands[outcomes.findIndex(({ outcome }) => outcome === 'overtaken')]!;
  throw new SeineError('conflict', `Too many others write to ${workflow.name} ${busy.id} at once.`, {
    hint: 'Try again in a moment.',
    retry: true,
  });
}

/** Each once; those that were overtaken have written nothing. */
export async function handleOnce(
  db: Queryable,
  workflow: AnyWorkflow,
  commands: readonly Command[],
  source: StateSource = { load },
): Promise<Outcome[]> {
  const outcomes = new Array<Outcome>(commands.length);
  const stories = await decideAll(db, workflow, commands, outcomes, source);
  const overtaken = ({ members }: Story) => {
    for (const n of members) outcomes[n] = { outcome: 'overtaken' };
  };
  const written = stories.filter(({ events }) => events.length > 0);
  const keys =
    written.length > 0
      ? await appendEvents(
          db,
          written.map((story) => appendOf(workflow, story)),
        )
      : [];
  // All of its commands, also those that were rejected: they were decided on events that are not there.
  for (const [i, story] of written.entries()) if (keys[i] === null) overtaken(story);
  // An assumed state is confirmed by the append that expects its version, and by nothing else.
  for (const story of stories) if (story.events.length === 0 && story.loaded.assumed) overtaken(story);
  const kept = written.map((story, i) => ({ story, key: keys[i]! })).filter(({ key }) => key !== null);
  for (const { story, key } of kept) source.appended?.(workflow, { ...story, key });
  await takeSnapshots(db, workflow, kept);
  return outcomes;
}

/** What the commands of one workflow come to. */
interface Story {
  readonly tenant: string;
  readonly id: string;
  readonly loaded: Loaded;
  /** The numbers of its commands, whatever became of them. */
  readonly members: number[];
  readonly events: NewEvent[];
  folded: Folded;
}

async function decideAll(
  db: Queryable,
  workflow: AnyWorkflow,
  commands: readonly Command[],
  outcomes: Outcome[],
  source: StateSource,
): Promise<Story[]> {
  const loaded = await source.load(
    db,
    workflow,
    // One that cannot be stored is refused when its turn comes; asking for it must not hold up the others.
    commands.map(({ tenant, id, commandId }) => ({
      tenant,
      id: storable(id),
      commandId: commandId == null ? null : storable(commandId),
    })),
  );
  const stories = new Map<string, Story>();
  for (const [n, { tenant, id }] of commands.entries()) {
    const name = `${tenant}\0${id}`;
    const state = loaded[n]!;
    const story = stories.get(name) ?? {
      tenant,
      id,
      loaded: state,
      members: [],
      events: [],
      folded: state.folded,
    };
    stories.set(name, story);
    story.members.push(n);
    outcomes[n] = await decideNext(workflow, story, state, commands[n]!);
  }
  return [...stories.values()];
}

async function decideNext(
  workflow: AnyWorkflow,
  story: Story,
  { status, handled, now }: Loaded,
  { id, command, commandId = null }: Command,
): Promise<Outcome> {
  const repeated =
    handled || (commandId !== null && story.events.some((event) => event.commandId === commandId));
  if (repeated) return { outcome: 'repeated', version: story.folded.version };
  if (status === 'paused') return { outcome: 'paused' };
  if (status !== 'running') return { outcome: 'rejected', reason: `${workflow.name} ${id} is ${status}` };
  try {
    checkName('The id of a workflow', id);
    checkName('The id of a command', commandId ?? '');
    const decided = await decideOn(workflow, story.folded, command, { id, now });
    if ('rejected' in decided) return { outcome: 'rejected', reason: decided.rejected };
    const events = decided.events.map((event, i) => (i === 0 ? { ...event, commandId } : event));
    if (story.folded.version === 0) checkState(workflow, decided.folded.state);
    story.events.push(...events);
    story.folded = decided.folded;
    return { outcome: 'accepted', version: decided.folded.version, events };
  } catch (error) {
    return { outcome: 'failed', error };
  }
}

function appendOf(workflow: AnyWorkflow, { tenant, id, loaded, events }: Story): Append {
  return { tenant, workflow: workflow.name, id, key: loaded.key, expected: loaded.folded.version, events };
}

/**
 * Where a story passed a multiple of `snapshotEvery`. The events may be committed by now, and a snapshot only saves reading: a state that can't
 * be written as JSON gets none, and outside of a transaction a failure is left to the next one.
 */
async function takeSnapshots(
  db: Queryable,
  workflow: AnyWorkflow,
  kept: readonly { readonly story: Story; readonly key: number }[],
): Promise<void> {
  const { snapshotEvery, version: schema } = workflow;
  const due = kept.filter(
    ({ story: { folded, loaded } }) =>
      Math.floor(folded.version / snapshotEvery) > Math.floor(loaded.folded.version / snapshotEvery),
  );
  const snapshots = due.flatMap(({ story: { folded }, key }) => {
    const state = jsonOf(folded.state);
    return typeof state === 'string' ? [{ key, version: folded.version, state }] : [];
  });
  if (snapshots.length === 0) return;
  try {
    await saveSnapshots(db, schema, snapshots);
  } catch (error) {
    if ('transaction' in db) throw error;
  }
}

/** An error: why it can't be written. */
function jsonOf(state: unknown): string | Error {
  try {
    return JSON.stringify(state ?? null) ?? new TypeError(`it is a ${typeof state}`);
  } catch (error) {
    return new TypeError(messageOf(error).split('\n')[0]!);
  }
}

/** At the first command of a workflow: its author learns of the mistake before anything depends on it. */
function checkState(workflow: AnyWorkflow, state: unknown): void {
  const json = jsonOf(state);
  if (typeof json === 'string') return;
  throw new SeineError('usage', `The state of ${workflow.name} can't be written as JSON: ${json.message}.`, {
    hint: 'Let initial and evolve return plain values: no BigInt, no functions, no circular references.',
  });
}

/** For callers who want a single answer: what went wrong is thrown. */
export function unlessFailed(outcome: Outcome, workflow: string, id: string): Outcome {
  if (outcome.outcome !== 'failed') return outcome;
  const { error } = outcome;
  if (error instanceof SeineError) throw error;
  throw new SeineError('internal', `${workflow} ${id} could not decide: ${messageOf(error)}`, {
    cause: error,
  });
}
