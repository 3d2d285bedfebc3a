/** Runs `react` for the events of one workflow, in order, until one fails. Pure: nothing is written here. */
import type { StoredEvent } from '../../events/event.ts';
import { attributesOf } from '../attributes/attributes.ts';
import { checkEffects } from '../check-effects.ts';
import { SYSTEM_EVENT_PREFIX } from '../decision.ts';
import type { AnyWorkflow } from '../define.ts';
import type { Effect } from '../effects.ts';
import { bodyOf, evolveEvent, type VersionedState } from '../state/fold.ts';
import { traceReaction } from '../telemetry/spans.ts';
import { callUserCode, withId } from '../user-code/code-error.ts';
import { enteringFold } from '../user-code/running-code.ts';

export interface ReactionTask {
  readonly key: number;
  readonly tenant: string;
  readonly id: string;
  /** The state after the last event reacted to. */
  readonly from: VersionedState;
  /** The history could not be folded, so nothing can be reacted to. */
  readonly foldError?: Error | null;
  readonly events: readonly StoredEvent[];
  /** There are more events; it must be scheduled again. */
  readonly more: boolean;
  /** Failures at the first of these events. */
  readonly attempts: number;
}

export interface EventEffects {
  readonly event: StoredEvent;
  readonly effects: readonly Effect[];
}

export interface ReactionResult<T extends ReactionTask = ReactionTask> {
  readonly task: T;
  /** Events that succeeded; those after it are for later. */
  readonly folded: VersionedState;
  readonly reactedEvents: readonly EventEffects[];
  /** Search attributes of `folded`, as JSON; null when the workflow defines none, or no event succeeded. */
  readonly attributes: string | null;
  readonly failure: { readonly error: unknown; readonly event: StoredEvent } | null;
}

/** After `until` (`performance.now()`) no further event is started; the rest are scheduled again. The first is always tried. */
export function reactTo<T extends ReactionTask>(
  workflow: AnyWorkflow,
  task: T,
  until = Number.POSITIVE_INFINITY,
): ReactionResult<T> {
  const reactedEvents: EventEffects[] = [];
  let folded = task.from;
  let attributes: string | null = null;
  for (const event of task.events) {
    if (reactedEvents.length > 0 && performance.now() > until)
      return { task: { ...task, more: true }, folded, reactedEvents, attributes, failure: null };
    try {
      if (task.foldError) throw task.foldError;
      enteringFold(workflow.name, task.id);
      const next = evolveEvent(workflow, folded, event);
      const effects = () => effectsOf(workflow, event, next, task.id);
      const shown = attributesOf(workflow, task.id, next.state);
      reactedEvents.push({ event, effects: traceReaction(workflow.name, task.id, event, effects) });
      attributes = shown;
      folded = next;
    } catch (error) {
      return { task, folded, reactedEvents, attributes, failure: { error: withId(error, task.id), event } };
    }
  }
  return { task, folded, reactedEvents, attributes, failure: null };
}

function effectsOf(
  workflow: AnyWorkflow,
  event: StoredEvent,
  { state }: VersionedState,
  id: string,
): readonly Effect[] {
  if (!workflow.react || event.type.startsWith(SYSTEM_EVENT_PREFIX)) return [];
  const { version, at, type } = event;
  const body = bodyOf(workflow, event);
  return callUserCode(
    () => ({ callback: 'react', workflow: workflow.name, id, subject: `event ${version} (${type})` }),
    () => workflow.react!(body, state, { id, version, at }),
    (effects) => {
      const all: readonly Effect[] = Array.isArray(effects) ? effects : effects ? [effects as Effect] : [];
      return checkEffects(workflow, all);
    },
  );
}
