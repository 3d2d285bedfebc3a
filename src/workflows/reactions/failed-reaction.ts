/** Failures of reactions that do not come from `react` itself. */
import { SeineError } from '../../base/errors.ts';
import { rejectionReason } from '../../db/rejected-data.ts';
import { UserCodeError } from '../user-code/code-error.ts';
import type { AssignedTask } from './fetch-events.ts';
import type { ReactionResult } from './react.ts';

/** At the first event of the task. */
export function failedAt(task: AssignedTask, error: unknown): ReactionResult<AssignedTask> {
  return {
    task,
    folded: task.from,
    reactedEvents: [],
    attributes: null,
    failure: { error, event: task.events[0]! },
  };
}

export function endsTheProcess(): SeineError {
  return new SeineError('internal', 'The process crashed on every attempt to react to this event.', {
    hint: 'Check the workflow for code that crashes the process or exhausts its memory.',
  });
}

export function rejectedEffects(
  workflow: string,
  { id, events: [event] }: AssignedTask,
  cause: unknown,
): UserCodeError {
  const subject = `event ${event!.version} (${event!.type})`;
  const place = { callback: 'react', workflow, id, subject } as const;
  return new UserCodeError(place, `the database rejected its effects: ${rejectionReason(cause)}`, {
    hint: 'Its effects contain something that PostgreSQL cannot store.',
    cause,
  });
}
