/** From stored events to states: upcast, evolve. */
import type { StoredEvent } from '../events/event.ts';
import { CONTINUED, OWN } from './decision.ts';
import type { AnyWorkflow, OldEvent, Typed, Workflow } from './define.ts';

export interface Folded<State> {
  readonly version: number;
  readonly state: State;
}

export function begun<State>(workflow: Workflow<State, never, never> | AnyWorkflow): Folded<State> {
  return { version: 0, state: workflow.initial() };
}

export function fold<State>(
  workflow: AnyWorkflow,
  from: Folded<State>,
  events: readonly StoredEvent[],
): Folded<State> {
  return events.reduce((folded, event) => evolved(workflow, folded, event), from);
}

export function evolved<State>(
  workflow: AnyWorkflow,
  from: Folded<State>,
  event: StoredEvent,
): Folded<State> {
  const { version } = event;
  if (event.type === CONTINUED) return { version, state: event.data.state as State };
  if (event.type.startsWith(OWN)) return { version, state: from.state };
  return { version, state: workflow.evolve(from.state, bodyOf(workflow, event)) };
}

/** The event as today's workflow knows it. */
export function bodyOf(workflow: AnyWorkflow, event: StoredEvent): Typed {
  let body: OldEvent = { ...event.data, type: event.type };
  for (let schema = event.schema; schema < workflow.version; schema++) {
    const upcast = workflow.upcast?.[schema];
    if (upcast) body = upcast(body);
  }
  return body;
}
