/** From stored events to states: upcast, evolve. What the workflow's code throws here is a `CodeError` that names the event. */
import { SeineError } from '../base/errors.ts';
import type { StoredEvent } from '../events/event.ts';
import { CONTINUED, OWN } from './decision.ts';
import type { AnyWorkflow, OldEvent } from './define.ts';
import { callCode, calledCode, shown } from './user-code/code-error.ts';
import { frozen, frozenStored } from './user-code/frozen.ts';
import { enteringEvent, enteringFold } from './user-code/running-code.ts';
import { needsNewer } from './versions/newer-version.ts';
import { migratedState } from './versions/state-version.ts';

/** A workflow's state after its event number `version`. It is frozen: a reaction that is tried again gets the same one. */
export interface Folded {
  readonly version: number;
  readonly state: unknown;
}

/** How far the history of one workflow could be folded. */
export interface Folding {
  readonly folded: Folded;
  /** Null: to its end. Otherwise why not further; the others of the batch are not concerned. */
  readonly failure: Error | null;
}

type Told = Pick<StoredEvent, 'type' | 'schema' | 'data' | 'version'>;

export function begun(workflow: AnyWorkflow): Folded {
  const place = () => ({ callback: 'initial', workflow: workflow.name, subject: 'a new workflow' }) as const;
  const state = callCode(
    place,
    () => workflow.initial(),
    (value) => frozen('the state', value),
  );
  return { version: 0, state };
}

export function fold(workflow: AnyWorkflow, from: Folded, events: readonly Told[]): Folded {
  return events.reduce((folded, event) => evolved(workflow, folded, event), from);
}

/** The next event of a history is not there: it was deleted. */
export class EventsMissing extends SeineError {
  constructor({ name }: AnyWorkflow, after: number) {
    super('not-found', `The event of ${name} after event ${after} is missing.`);
  }
}

/** As far as it goes. The rest of a history is not folded from a state that it does not follow. */
export function tryFold(workflow: AnyWorkflow, from: Folded, events: readonly Told[], id?: string): Folding {
  enteringFold(workflow.name, id);
  let folded = from;
  try {
    for (const event of events) {
      if (event.version !== folded.version + 1 && event.type !== CONTINUED)
        throw new EventsMissing(workflow, folded.version);
      folded = evolved(workflow, folded, event);
    }
    return { folded, failure: null };
  } catch (error) {
    return { folded, failure: error as Error };
  }
}

export function evolved(workflow: AnyWorkflow, from: Folded, event: Told): Folded {
  const { version, type, schema, data } = event;
  if (schema > workflow.version) throw needsNewer(workflow, null, schema);
  if (type === CONTINUED) {
    const { state, stateVersion = 1 } = data as { state?: unknown; stateVersion?: number };
    return { version, state: frozen('the state', migratedState(workflow, state, stateVersion)) };
  }
  if (type.startsWith(OWN)) return { version, state: from.state };
  const body = bodyOf(workflow, event);
  const place = () => placeOf('evolve', workflow, event);
  enteringEvent('evolve', version);
  const state = calledCode(
    place,
    () => workflow.evolve(from.state, body),
    (value) => frozen('the state', value),
  );
  return { version, state };
}

/** The event as today's workflow knows it. */
export function bodyOf(workflow: AnyWorkflow, event: Told): OldEvent {
  let body: OldEvent = frozenStored({ ...event.data, type: event.type });
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
    throw new SeineError('usage', `it returned ${shown(body)}, which is no event`, {
      hint: 'An upcast returns the event as the next version writes it, with its type.',
    });
  return frozen('the event', body);
}

function placeOf(callback: 'evolve' | 'upcast', { name }: AnyWorkflow, { version, type }: Told) {
  return { callback, workflow: name, subject: `event ${version} (${type})` } as const;
}
