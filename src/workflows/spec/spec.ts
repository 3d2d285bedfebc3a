/**
 * Given-when-then tests of a workflow, without a database:
 *
 *   const { given } = specOf(order);
 *   await given(placed, paid).when({ type: 'cancel' }).then({ type: 'cancelled' });
 *
 * Commands and events are validated, decided and upcast by the code that runners use.
 */
import { SeineError } from '../../base/errors.ts';
import { runDecide } from '../commands/decide.ts';
import { CONTINUED_EVENT } from '../decision.ts';
import type { Circumstances, HeardEvent, OldEvent, Workflow } from '../define.ts';
import type { Effect } from '../effects.ts';
import { bodyOf } from '../state/fold.ts';
import type { Typed } from '../typed.ts';
import { validate } from '../validate.ts';
import { assertReason, assertSame, fail, unfinished } from './assert.ts';
import {
  append,
  bodiesOf,
  type EventHistory,
  effectsOf,
  foldedOf,
  jsonRoundTrip,
  type RecordedEvent,
} from './event-history.ts';

type OneOrMore<T> = T | readonly T[];

interface Spec<State, Command extends Typed, Event extends Typed> {
  given(...events: readonly OneOrMore<Event | Old>[]): Given<State, Command, Event>;
}

interface Given<State, Command extends Typed, Event> extends Consequences<State, Command> {
  when(command: Command, at?: Partial<Circumstances>): When<State, Command, Event>;
  /** An event of another workflow, received by subscription. */
  whenHeard(event: HeardInput, at?: Partial<Circumstances>): When<State, Command, Event>;
}

/** Each returns a promise: await it, or return it from the test. */
interface When<State, Command extends Typed, Event> extends Consequences<State, Command> {
  then(events: OneOrMore<Event>): Promise<void>;
  /** Rejected by `decide`, or because it violates its schema. */
  thenRejected(reason: string | RegExp): Promise<void>;
  /** After these events, if there are any. */
  thenContinuesAsNew(state: State, after?: OneOrMore<Event>): Promise<void>;
}

interface Consequences<State, Command extends Typed> {
  /** The effects of the events of the command, or of the last given event. */
  thenReacts(effects: OneOrMore<Effect<Command>>): Promise<void>;
  thenState(state: State): Promise<void>;
}

class Old {
  readonly version: number;
  readonly event: OldEvent;
  constructor(version: number, event: OldEvent) {
    this.version = version;
    this.event = event;
  }
}

/** An event as an older version of the workflow wrote it: `given(ofVersion(1, { type: 'placed', euros: 5 }))`. */
export function ofVersion(version: number, event: OldEvent): Old {
  return new Old(version, event);
}

export function specOf<State, Command extends Typed, Event extends Typed>(
  workflow: Workflow<State, Command, Event>,
): Spec<State, Command, Event> {
  return {
    given(...events) {
      const past = () => replayPast(workflow, events.flat() as (Event | Old)[]);
      return {
        when: (command, at = {}) => whenCommanded(past, command, at),
        whenHeard: (event, at = {}) => whenEventReceived(past, event, at),
        ...consequences(async () => {
          const history = await past();
          return { history, added: history.happened.slice(-1) };
        }),
      };
    },
  };
}

interface DecisionOutcome {
  readonly history: EventHistory;
  readonly added: readonly RecordedEvent[];
}

type HeardInput = Pick<HeardEvent, 'workflow' | 'type'> & Partial<HeardEvent>;

function whenEventReceived<State, Command extends Typed, Event>(
  past: () => Promise<EventHistory>,
  event: HeardInput,
  at: Partial<Circumstances>,
): When<State, Command, Event> {
  const command = (history: EventHistory) => received(history, event, at) as Command | null;
  return whenCommanded(past, command, at);
}

function whenCommanded<State, Command extends Typed, Event>(
  past: () => Promise<EventHistory>,
  command: Command | ((history: EventHistory) => Command | null),
  at: Partial<Circumstances>,
): When<State, Command, Event> {
  const outcome = async () => {
    const history = await past();
    return decided(history, typeof command === 'function' ? command(history) : command, at);
  };
  const accepted = async () => acceptedOf(await outcome());
  return {
    ...consequences(accepted),
    // biome-ignore lint/suspicious/noThenProperty: given-when-then needs the name; awaiting the object itself throws a helpful error
    then(events) {
      if (typeof events === 'function') throw unfinished();
      return accepted().then(({ history, added }) => {
        const actual = bodiesOf({ ...history, happened: [...added] });
        assertSame(actual, jsonRoundTrip([events].flat()), 'The events differ.');
      });
    },
    async thenRejected(reason) {
      const result = await outcome();
      if ('rejected' in result) return assertReason(result.rejected, reason);
      fail(`It was not rejected, but led to ${JSON.stringify(result.added.map(({ event }) => event.type))}.`);
    },
    async thenContinuesAsNew(state, events = []) {
      const { history, added } = await accepted();
      const last = added.at(-1);
      assertSame(last?.event.type, CONTINUED_EVENT, 'It does not continue as new.');
      const before = bodiesOf({ ...history, happened: added.slice(0, -1) });
      assertSame(before, jsonRoundTrip([events].flat()), 'The events before continueAsNew differ.');
      assertSame(last!.folded.state, jsonRoundTrip(state), 'It continues as new with another state.');
    },
  };
}

function consequences<State, Command extends Typed>(
  outcome: () => Promise<DecisionOutcome>,
): Consequences<State, Command> {
  return {
    async thenReacts(effects) {
      const { history, added } = await outcome();
      const actual = added.flatMap((happened) => effectsOf(history, happened));
      assertSame(jsonRoundTrip(actual), jsonRoundTrip([effects].flat()), 'The effects differ.');
    },
    async thenState(state) {
      const { history } = await outcome();
      assertSame(foldedOf(history).state, state, 'The state differs.');
    },
  };
}

/** Old events are upcast before they are validated. */
async function replayPast(
  workflow: EventHistory['workflow'],
  given: readonly (Typed | Old)[],
): Promise<EventHistory> {
  const history: EventHistory = { workflow, id: `${workflow.name}-1`, happened: [] };
  for (const one of given) {
    const [schema, event] = one instanceof Old ? [one.version, one.event] : [workflow.version, one];
    const { type, ...data } = event;
    append(history, [{ type, schema, data }], BEGINNING);
    const check = workflow.schema?.event;
    const today = bodyOf(workflow, history.happened.at(-1)!.event);
    if (check) await validate(check, today, `The event ${type} that is given`);
  }
  return history;
}

async function decided(
  past: EventHistory,
  command: Typed | null,
  { id = past.id, now = BEGINNING }: Partial<Circumstances>,
): Promise<DecisionOutcome | { readonly rejected: string }> {
  if (command === null) return { history: past, added: [] };
  const history = { ...past, id };
  try {
    const result = await runDecide(history.workflow, foldedOf(history), command, { id, now });
    return 'rejected' in result ? result : { history, added: append(history, result.events, now) };
  } catch (error) {
    if (error instanceof SeineError && error.kind === 'usage') return { rejected: error.message };
    throw error;
  }
}

function received(
  history: EventHistory,
  event: HeardInput,
  { id = history.id, now = BEGINNING }: Partial<Circumstances>,
): Typed | null {
  const subscribers = {
    id: `${event.workflow}-1`,
    version: 1,
    schema: 1,
    at: BEGINNING,
    data: {},
    tags: [],
    ...event,
  };
  return history.workflow.receive?.(subscribers, { id, now, state: foldedOf(history).state }) ?? null;
}

function acceptedOf(outcome: DecisionOutcome | { readonly rejected: string }): DecisionOutcome {
  if ('rejected' in outcome) return fail(`It was rejected: ${outcome.rejected}`);
  return outcome;
}

/** Defaults. */
const BEGINNING = new Date('2026-01-01T00:00:00Z');
