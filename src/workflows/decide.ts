/** One command and one state: what comes of it, without a database. */
import { messageOf, SeineError } from '../base/errors.ts';
import type { NewEvent } from '../events/append-store.ts';
import { checkCommand } from './check-command.ts';
import { CONTINUED, Continuation, OWN, Rejection } from './decision.ts';
import type { AnyWorkflow, Circumstances } from './define.ts';
import { type Folded, fold } from './fold.ts';
import type { Typed } from './typed.ts';
import { validate } from './validate.ts';

export type Decided =
  | { readonly rejected: string }
  | { readonly events: readonly NewEvent[]; readonly folded: Folded };

type Written = NewEvent & { readonly schema: number };

export async function decideOn(
  workflow: AnyWorkflow,
  folded: Folded,
  command: Typed,
  at: Circumstances,
): Promise<Decided> {
  checkCommand(workflow, at.id, command);
  const { command: schema } = workflow.schema ?? {};
  const what = `The command ${command.type} of ${workflow.name}`;
  const valid = schema ? await validate(schema, command, what) : command;
  const decision = decisionOf(workflow, folded.state, valid, at);
  if (decision instanceof Rejection) return { rejected: decision.reason };
  const events = await newEvents(
    workflow,
    decision,
    `${workflow.name} ${at.id}, deciding on the command ${command.type},`,
  );
  const told = events.map((event, i) => ({ ...event, version: folded.version + i + 1 }));
  return { events, folded: fold(workflow, folded, told) };
}

/** What it throws is most often a command that it does not expect: so the command is named. */
function decisionOf(workflow: AnyWorkflow, state: unknown, command: Typed, at: Circumstances): unknown {
  try {
    return workflow.decide(state, command, at);
  } catch (error) {
    if (error instanceof SeineError) throw error;
    const what = `${workflow.name} ${at.id} could not decide on the command ${command.type}: ${messageOf(error)}`;
    const hint = workflow.commands
      ? {}
      : { hint: 'If no such command exists, list those that do: commands: [ … ] in the definition.' };
    throw new SeineError('internal', what, { cause: error, ...hint });
  }
}

/** `who` begins a sentence about a decision that cannot be written. */
async function newEvents(workflow: AnyWorkflow, decision: unknown, who: string): Promise<Written[]> {
  const bodies: readonly unknown[] = Array.isArray(decision) ? decision : [decision];
  const early = bodies.slice(0, -1).find((body) => body instanceof Continuation);
  if (early)
    throw new SeineError('internal', `${who} returned continueAsNew before its last event.`, {
      hint: 'Let decide return the events first, then continueAsNew(…): [event, continueAsNew(state)].',
    });
  return Promise.all(bodies.map((body) => newEvent(workflow, body as Typed, who)));
}

async function newEvent(
  workflow: AnyWorkflow,
  body: Typed | Continuation<unknown>,
  who: string,
): Promise<Written> {
  if (body instanceof Continuation)
    return { schema: workflow.version, type: CONTINUED, data: { state: body.state } };
  if (typeof body?.type !== 'string' || body.type.startsWith(OWN)) {
    throw new SeineError('internal', `${who} returned something that is no event: ${JSON.stringify(body)}.`, {
      hint: `Let decide return events with a type (one that does not begin with "${OWN}"), reject(…) or continueAsNew(…).`,
    });
  }
  const { event: schema } = workflow.schema ?? {};
  const what = `The event ${body.type} of ${workflow.name}`;
  const { type, ...data } = schema ? await validate(schema, body, what) : body;
  return { schema: workflow.version, type, data, tags: workflow.tags?.(body) ?? [] };
}
