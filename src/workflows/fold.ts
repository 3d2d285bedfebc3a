/** From stored events to states: upcast, evolve. */
import type { StoredEvent } from '../events/event.ts';
import { CONTINUED, OWN } from './decision.ts';
import type { AnyWorkflow, OldEvent } from './define.ts';
import { needsNewer } from './versions/newer-version.ts';
import { migratedState } from './versions/state-version.ts';

/** A workflow's state after its event number `version`. */
export interface Folded {
  readonly version: number;
  readonly state: unknown;
}

type Told = Pick<StoredEvent, 'type' | 'schema' | 'data' | 'version'>;

export function begun(workflow: AnyWorkflow): Folded {
  return { version: 0, state: workflow.initial() };
}

export function fold(workflow: AnyWorkflow, from: Folded, events: readonly Told[]): Folded {
  return events.reduce((folded, event) => evolved(workflow, folded, event), from);
}

export function evolved(workflow: AnyWorkflow, from: Folded, event: Told): Folded {
  const { version, type, schema, data } = event;
  if (schema > workflow.version) throw needsNewer(workflow, null, schema);
  if (type === CONTINUED) {
    const { state, stateVersion = 1 } = data as { state?: unknown; stateVersion?: number };
    return { version, state: migratedState(workflow, state, stateVersion) };
  }
  if (type.startsWith(OWN)) return { version, state: from.state };
  return { version, state: workflow.evolve(from.state, bodyOf(workflow, event)) };
}

/** The event as today's workflow knows it. */
export function bodyOf(workflow: AnyWorkflow, event: Told): OldEvent {
  let body: OldEvent = { ...event.data, type: event.type };
  for (let schema = event.schema; schema < workflow.version; schema++)
    body = workflow.upcast?.[schema]?.(body) ?? body;
  return body;
}
