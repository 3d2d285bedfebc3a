/** One command and one state: what comes of it, without a database. */
import { SeineError } from '../base/errors.ts';
import type { NewEvent } from '../events/append-store.ts';
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
  const { command: schema } = workflow.schema ?? {};
  const what = `The command ${command.type} of ${workflow.name}`;
  const valid = schema ? await validate(schema, command, what) : command;
  const decision = workflow.decide(folded.state, valid, at);
  if (decision instanceof Rejection) return { rejected: decision.reason };
  const events = await newEvents(workflow, decision);
  const told = events.map((event, i) => ({ ...event, version: folded.version + i + 1 }));
  return { events, folded: fold(workflow, folded, told) };
}

async function newEvents(workflow: AnyWorkflow, decision: unknown): Promise<Written[]> {
  if (decision instanceof Continuation) {
    const { version: schema, stateVersion } = workflow;
    const { state } = decision;
    const data = stateVersion === 1 ? { state } : { state, stateVersion };
    return [{ schema, type: CONTINUED, data }];
  }
  const bodies = (Array.isArray(decision) ? decision : [decision]) as Typed[];
  return Promise.all(bodies.map((body) => newEvent(workflow, body)));
}

async function newEvent(workflow: AnyWorkflow, body: Typed): Promise<Written> {
  if (typeof body?.type !== 'string' || body.type.startsWith(OWN)) {
    throw new SeineError(
      'internal',
      `${workflow.name} decided on something that is no event: ${JSON.stringify(body)}.`,
      {
        hint: `Let decide return events with a type (one that does not begin with "${OWN}"), reject(…) or continueAsNew(…).`,
      },
    );
  }
  const { event: schema } = workflow.schema ?? {};
  const what = `The event ${body.type} of ${workflow.name}`;
  const { type, ...data } = schema ? await validate(schema, body, what) : body;
  return { schema: workflow.version, type, data, tags: workflow.tags?.(body) ?? [] };
}
