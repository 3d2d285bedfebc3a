/** The events of one workflow in memory, stored as JSON and read back as from the log. */
import type { NewEvent } from '../../events/append-store.ts';
import type { StoredEvent } from '../../events/event.ts';
import type { AnyWorkflow, OldEvent } from '../define.ts';
import type { Effect } from '../effects.ts';
import { reactTo } from '../reactions/react.ts';
import { bodyOf, evolveEvent, initialState, type VersionedState } from '../state/fold.ts';

/** Who plays in memory. */
export const TENANT = 'default';

export interface EventHistory {
  readonly workflow: AnyWorkflow;
  readonly id: string;
  readonly happened: RecordedEvent[];
}

/** An event, and the state after it. */
export interface RecordedEvent {
  readonly event: StoredEvent;
  readonly folded: VersionedState;
}

export function foldedOf({ workflow, happened }: EventHistory): VersionedState {
  return happened.at(-1)?.folded ?? initialState(workflow);
}

export function append(history: EventHistory, events: readonly NewEvent[], at: Date): RecordedEvent[] {
  const added = events.length;
  for (const { type, schema = history.workflow.version, data, tags = [] } of events) {
    const before = foldedOf(history);
    const event = {
      workflowKey: 0,
      version: before.version + 1,
      type,
      schema,
      data: jsonRoundTrip(data),
      tags,
      at,
    };
    history.happened.push({ event, folded: evolveEvent(history.workflow, before, event) });
  }
  return history.happened.slice(history.happened.length - added);
}

/** The effects of an event; errors of user code are thrown. */
export function effectsOf(
  { workflow, id, happened }: EventHistory,
  { event }: RecordedEvent,
): readonly Effect[] {
  const from = happened[event.version - 2]?.folded ?? initialState(workflow);
  const task = { key: 0, tenant: TENANT, id, from, events: [event], more: false, attempts: 0 };
  const { reactedEvents, failure } = reactTo(workflow, task);
  if (failure) throw failure.error;
  return reactedEvents.flatMap((one) => one.effects);
}

export function bodiesOf({ workflow, happened }: EventHistory): OldEvent[] {
  return happened.map(({ event }) => bodyOf(workflow, event));
}

/** The value as written to JSON and read again. */
export function jsonRoundTrip<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}
