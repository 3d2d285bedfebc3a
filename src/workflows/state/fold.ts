/** Folds stored events to states: upcast, evolve. An error of user code is thrown as a `UserCodeError` that names the event. */
import { SeineError } from '../../base/errors.ts';
import type { StoredEvent } from '../../events/event.ts';
import { CONTINUED_EVENT, SYSTEM_EVENT_PREFIX } from '../decision.ts';
import type { AnyWorkflow, OldEvent } from '../define.ts';
import { calledCode, callUserCode, formatValue } from '../user-code/code-error.ts';
import { deepFreeze, deepFreezeStored } from '../user-code/frozen.ts';
import { enteringEvent, enteringFold } from '../user-code/running-code.ts';
import { newerVersionRequired } from '../versions/newer-version.ts';
import { migrateStoredState } from '../versions/state-version.ts';

/** A workflow's state after its event number `version`. Frozen, because a retried reaction gets the same object. */
export interface VersionedState {
  readonly version: number;
  readonly state: unknown;
}

/** How far the history of one workflow could be folded. */
export interface FoldResult {
  readonly folded: VersionedState;
  /** Null: to its end; otherwise why it stopped. Does not affect the others of the batch. */
  readonly failure: Error | null;
}

type FoldableEvent = Pick<StoredEvent, 'type' | 'schema' | 'data' | 'version'>;

export function initialState(workflow: AnyWorkflow): VersionedState {
  const place = () => ({ callback: 'initial', workflow: workflow.name, subject: 'a new workflow' }) as const;
  const state = callUserCode(
    place,
    () => workflow.initial(),
    (value) => deepFreeze('the state', value),
  );
  return { version: 0, state };
}

export function fold(
  workflow: AnyWorkflow,
  from: VersionedState,
  events: readonly FoldableEvent[],
): VersionedState {
  return events.reduce((folded, event) => evolveEvent(workflow, folded, event), from);
}

/** The next event of a history is missing: it was deleted. */
export class EventsMissing extends SeineError {
  constructor({ name }: AnyWorkflow, after: number) {
    super('not-found', `The event of ${name} after event ${after} is missing.`);
  }
}

/** Folds up to the first failure: a state must not skip events. */
export function tryFold(
  workflow: AnyWorkflow,
  from: VersionedState,
  events: readonly FoldableEvent[],
  id?: string,
): FoldResult {
  enteringFold(workflow.name, id);
  let folded = from;
  try {
    for (const event of events) {
      if (event.version !== folded.version + 1 && event.type !== CONTINUED_EVENT)
        throw new EventsMissing(workflow, folded.version);
      folded = evolveEvent(workflow, folded, event);
    }
    return { folded, failure: null };
  } catch (error) {
    return { folded, failure: error as Error };
  }
}

export function evolveEvent(
  workflow: AnyWorkflow,
  from: VersionedState,
  event: FoldableEvent,
): VersionedState {
  const { version, type, schema, data } = event;
  if (schema > workflow.version) throw newerVersionRequired(workflow, null, schema);
  if (type === CONTINUED_EVENT) {
    const { state, stateVersion = 1 } = data as { state?: unknown; stateVersion?: number };
    return { version, state: deepFreeze('the state', migrateStoredState(workflow, state, stateVersion)) };
  }
  if (type.startsWith(SYSTEM_EVENT_PREFIX)) return { version, state: from.state };
  const body = bodyOf(workflow, event);
  const place = () => placeOf('evolve', workflow, event);
  enteringEvent('evolve', version);
  const state = calledCode(
    place,
    () => workflow.evolve(from.state, body),
    (value) => deepFreeze('the state', value),
  );
  return { version, state };
}

/** The event, upcast to the current version. */
export function bodyOf(workflow: AnyWorkflow, event: FoldableEvent): OldEvent {
  let body: OldEvent = deepFreezeStored({ ...event.data, type: event.type });
  for (let schema = event.schema; schema < workflow.version; schema++) {
    const upcast = workflow.upcast?.[schema];
    if (!upcast) continue;
    const old = body;
    enteringEvent('upcast', event.version);
    body = calledCode(
      () => placeOf('upcast', workflow, event),
      () => upcast(old),
      checkedBody,
    );
  }
  return body;
}

function checkedBody(body: OldEvent): OldEvent {
  if (typeof body?.type !== 'string')
    throw new SeineError('usage', `it returned ${formatValue(body)}, which is not an event`, {
      hint: 'An upcast returns the event as the next version writes it, with its type.',
    });
  return deepFreeze('the event', body);
}

function placeOf(callback: 'evolve' | 'upcast', { name }: AnyWorkflow, { version, type }: FoldableEvent) {
  return { callback, workflow: name, subject: `event ${version} (${type})` } as const;
}
