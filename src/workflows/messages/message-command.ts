/** Converts a message to a command: directly, or an event of another workflow by `receive`. */
import type { Command } from '../commands/command.ts';
import type { AnyWorkflow, HeardEvent, Receiver } from '../define.ts';
import type { Typed } from '../typed.ts';
import { callUserCode } from '../user-code/code-error.ts';
import { deepFreezeStored } from '../user-code/frozen.ts';
import { checkTyped } from '../user-code/plain-json.ts';
import type { DueMessage } from './message-store.ts';

export function describeMessage({ kind, body }: DueMessage): string {
  return `${kind} ${(body as Typed | null)?.type}`;
}

export function commandOf(
  workflow: AnyWorkflow,
  { tenant, workflowId: id, commandId, kind, body, trace, childId }: DueMessage,
): Command {
  const of = { tenant, id, commandId, trace, begins: childId !== null };
  if (kind === 'command') return { ...of, command: body };
  const event: StoredHeardEvent = body;
  const about = `event ${event.version} (${event.type}) of ${event.workflow} ${event.id}`;
  return { ...of, about, command: (receiver) => receiveEvent(workflow, event, receiver, about) };
}

/** As stored. */
type StoredHeardEvent = HeardEvent & { readonly at: string | Date };

/** Null: the workflow ignores the event. */
function receiveEvent(
  workflow: AnyWorkflow,
  event: StoredHeardEvent,
  receiver: Receiver<unknown>,
  subject: string,
): Typed | null {
  if (!workflow.receive) return null;
  return callUserCode(
    () => ({ callback: 'receive', workflow: workflow.name, id: receiver.id, subject }),
    () => workflow.receive!(heardEvent(event), receiver),
    (command) => {
      if (command === null || command === undefined) return null;
      checkTyped('what it returned', command);
      return command;
    },
  );
}

function heardEvent(event: StoredHeardEvent): HeardEvent {
  const { schema = 1, at } = event;
  return Object.freeze({ ...deepFreezeStored(event), schema, at: new Date(at) });
}
