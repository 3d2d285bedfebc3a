/**
 * Workflow definitions: pure functions of one workflow type, and the actions it uses.
 *
 *   command ──▶ decide ──▶ events ──▶ evolve ──▶ state
 *                             └─────▶ react  ──▶ actions, timers, commands to others, completion
 *
 * `decide`, `evolve` and `react` must be deterministic: events are folded again on every replay.
 */
import { SeineError } from '../base/errors.ts';
import type { Action } from './actions/action.ts';
import { resolvePolicy } from './actions/policy.ts';
import { checkCount } from './check-count.ts';
import type { Continuation, Rejection } from './decision.ts';
import type { Effect } from './effects.ts';
import type { Typed } from './typed.ts';
import { timerMs, type Wait } from './wait.ts';

/** The context of a decision. */
export interface Circumstances {
  readonly id: string;
  /** By the database's clock. */
  readonly now: Date;
}

/** Metadata of an event. */
export interface Occurrence {
  readonly id: string;
  readonly version: number;
  readonly at: Date;
}

/** An event of another workflow, received by subscription. */
export interface HeardEvent extends Occurrence {
  readonly workflow: string;
  readonly type: string;
  /** The version of that workflow's code that wrote it: the event is not upcast. */
  readonly schema: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
}

/** The workflow that receives the event. */
export interface Receiver<State> extends Circumstances {
  readonly state: State;
}

/** `continueAsNew` may follow events but not precede them: they belong to the history it replaces. */
export type Decision<Event, State = unknown> =
  | Event
  | readonly Event[]
  | readonly [...Event[], Continuation<State>]
  | Rejection
  | Continuation<State>;

/** Standard Schema, as implemented by Zod, Valibot, ArkType and others. */
export interface Schema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): Validated<T> | Promise<Validated<T>>;
    readonly types?: { readonly input: unknown; readonly output: T } | undefined;
  };
}
type Validated<T> =
  | { readonly value: T; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly unknown[] | undefined;
      }[];
    };

/** An event as an older version of the workflow wrote it. */
export type OldEvent = Typed & Readonly<Record<string, unknown>>;

/** Null and undefined: the workflow has no such attribute. */
export type AttributeValue = string | number | boolean | Date | null | undefined;

export interface Definition<State, Command extends Typed, Event extends Typed> {
  /** Letters, digits, dashes: used in names of readers and on the command line. */
  readonly name: string;
  /** Version of the events it writes (1). Increment it when their schema changes, and convert older events in `upcast`. */
  readonly version?: number;
  /**
   * Version of the states that `evolve` returns (1). Increment it whenever `evolve` or `initial` returns another state for the same events: snapshots
   * of other versions are not used.
   */
  readonly stateVersion?: number;
  /** `migrateState[1]` converts a state of state version 1 to version 2, for workflows that continued as new with it. */
  readonly migrateState?: Readonly<Record<number, (state: unknown) => unknown>>;
  readonly initial: () => State;
  readonly decide: (state: State, command: Command, at: Circumstances) => Decision<Event, State>;
  readonly evolve: (state: State, event: Event) => State;
  /** Its command types. If listed, other types are rejected with the nearest names. */
  readonly commands?: readonly Command['type'][];
  /** Returns the effects of an event; `state` is the state after it. */
  readonly react?: (
    event: Event,
    state: State,
    of: Occurrence,
  ) => readonly Effect<Command>[] | Effect<Command>;
  /** Converts a received event to a command; null: ignored. */
  readonly receive?: (event: HeardEvent, receiver: Receiver<State>) => Command | null;
  readonly actions?: Readonly<Record<string, Action>>;
  /** `upcast[1]` converts an event of version 1 to version 2. */
  readonly upcast?: Readonly<Record<number, (event: OldEvent) => OldEvent>>;
  readonly schema?: {
    readonly command?: Schema<Command>;
    readonly event?: Schema<Event>;
    /** Timeout of an asynchronous validator (5 s). */
    readonly timeout?: Wait;
  };
  /** Tags that other workflows may subscribe to. */
  readonly tags?: (event: Event) => readonly string[];
  /** Plain values of the state to find workflows by: `seine workflows list --where 'amount > 1000'`. */
  readonly attributes?: (state: State) => Readonly<Record<string, AttributeValue>>;
  /** Events between two snapshots (100). */
  readonly snapshotEvery?: number;
}

export interface Workflow<State = unknown, Command extends Typed = Typed, Event extends Typed = Typed>
  extends Definition<State, Command, Event> {
  readonly version: number;
  readonly stateVersion: number;
  readonly snapshotEvery: number;
}

/** A workflow of any type. Its functions only receive values from its own functions and the log. */
// biome-ignore lint/suspicious/noExplicitAny: a state of one type never meets a function of another, which TypeScript can't express here
export type AnyWorkflow = Workflow<any, any, any>;

/** Stored as smallint. */
const HIGHEST_VERSION = 32_767;
const NAME = /^[a-z][a-z0-9-]{0,62}$/i;

export function defineWorkflow<State, Command extends Typed, Event extends Typed>(
  definition: Definition<State, Command, Event>,
): Workflow<State, Command, Event> {
  const { name, version = 1, stateVersion = 1, snapshotEvery = 100, upcast = {} } = definition;
  if (!NAME.test(name)) {
    throw new SeineError('usage', `"${name}" can't be the name of a workflow.`, {
      hint: 'Use letters, digits and dashes, a letter first.',
    });
  }
  checkVersion(name, 'version', version);
  checkVersion(name, 'stateVersion', stateVersion);
  checkCount(`The workflow ${name}`, 'snapshotEvery', snapshotEvery);
  checkSchemaTimeout(definition);
  for (const [action, does] of Object.entries(definition.actions ?? {}))
    resolvePolicy(does, `${name}/${action}`);
  for (let old = 1; old < version; old++) {
    if (upcast[old]) continue;
    throw new SeineError(
      'usage',
      `The workflow ${name} has events of version ${version}, and no upcast from ${old}.`,
      {
        hint: `Add upcast: { ${old}: (event) => … } that returns an event of version ${old + 1}.`,
      },
    );
  }
  return Object.freeze({ ...definition, version, stateVersion, snapshotEvery });
}

function checkSchemaTimeout({ name, schema }: Pick<AnyWorkflow, 'name' | 'schema'>): void {
  if (schema?.timeout === undefined) return;
  if (timerMs(schema.timeout, `The workflow ${name} has the schema.timeout`) > 0) return;
  throw new SeineError('usage', `The workflow ${name} needs a schema.timeout greater than 0.`, {
    hint: 'Leave it out for 5 seconds.',
  });
}

function checkVersion(workflow: string, what: string, version: number): void {
  if (Number.isInteger(version) && version >= 1 && version <= HIGHEST_VERSION) return;
  throw new SeineError('usage', `The ${what} of the workflow ${workflow} is ${version}.`, {
    hint: `Use a whole number from 1 to ${HIGHEST_VERSION}.`,
  });
}
