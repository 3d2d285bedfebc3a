/** Commands that are left for the runners: whoever sends them needs neither the workflow's code nor anybody who runs it now. */
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
  /** Sent again under the same id, it has no second effect. */
  readonly commandId?: string | undefined;
  /** Not before. */
  readonly at?: Date | undefined;
  /** Or not before so many milliseconds have passed. */
  readonly afterMs?: number | undefined;
}

/** A workflow that isn't there begins with it. One that has ended takes nothing, and then nothing is left for it. */
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
