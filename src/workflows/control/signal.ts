/** Queues commands for delivery by runners: the sender needs neither the workflow's code nor a running runner. */
import { SeineError } from '../../base/errors.ts';
import type { Database } from '../../db/database.ts';
import type { WorkflowRef } from '../../events/event.ts';
import { notifyRunners } from '../../events/event-notifier.ts';
import { checkName } from '../check-name.ts';
import type { Typed } from '../typed.ts';
import { plainJson } from '../user-code/plain-json.ts';
import { readHead } from '../workflow-store.ts';
import { hasEnded } from './control.ts';
import { addSignal } from './control-store.ts';

export interface SignalOptions {
  /** Idempotency: a command sent again under the same id has no second effect. */
  readonly commandId?: string | undefined;
  /** Earliest time of delivery. */
  readonly at?: Date | undefined;
  /** Delay before delivery, in milliseconds. */
  readonly afterMs?: number | undefined;
}

/** Begins a workflow that doesn't exist. For a workflow that has ended nothing is queued. */
export async function signalWorkflow(
  db: Database,
  address: WorkflowRef,
  command: Typed,
  { commandId, at, afterMs = 0 }: SignalOptions = {},
): Promise<{ readonly message: number; readonly due: Date }> {
  if (typeof command?.type !== 'string')
    throw new SeineError('usage', 'A command needs a type.', { hint: 'Like this: {"type":"approve"}' });
  checkName('The id of a workflow', address.id);
  checkName('The id of a command', commandId ?? '');
  plainJson(`The command ${command.type}`, command);
  const head = await readHead(db, address);
  if (head && head.status !== 'running' && head.status !== 'paused') throw hasEnded(head);
  const added = await addSignal(db, {
    ...address,
    command,
    commandId: commandId ?? null,
    at: at ?? null,
    afterMs,
  });
  await notifyRunners(db, address.workflow);
  return added;
}
