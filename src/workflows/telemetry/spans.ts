/**
 * Spans of commands, reactions and actions, by the OpenTelemetry API alone, which is a no-op unless the user registers an SDK. A command's trace
 * continues in the reactions to its events, and in the actions and messages these ask for. A timer starts a new trace, since it may fire weeks later.
 */
import { type Attributes, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { instruments, SCOPE } from './instruments.ts';
import { activeTrace, contextOf, traceParentOf } from './trace-parent.ts';

const tracer = trace.getTracer(SCOPE);

interface Traceable {
  readonly id: string;
  readonly command: { readonly type: string } | ((receiver: never) => unknown);
  readonly trace?: string | null | undefined;
}

interface TracedOutcome {
  readonly outcome: string;
}

/** A command is decided in the process that sends it, or delivered as a message. */
const KINDS = { sent: SpanKind.INTERNAL, delivered: SpanKind.CONSUMER };

/** The commands with the trace context for their events, and functions that end their spans. */
export function startCommands<C extends Traceable>(
  workflow: string,
  commands: readonly C[],
  how: keyof typeof KINDS,
): { readonly traced: C[]; end(outcomes: readonly TracedOutcome[]): void; failed(error: unknown): void } {
  const spans = commands.map(({ id, command, trace: parent = null }) =>
    tracer.startSpan(
      `command ${workflow}`,
      {
        kind: KINDS[how],
        attributes: {
          ...attributesOf(workflow, id),
          'seine.command.type': typeof command === 'function' ? 'received event' : command?.type,
        },
      },
      contextOf(parent),
    ),
  );
  const traced = commands.map((command, n) => ({
    ...command,
    trace: spans[n]!.isRecording()
      ? traceParentOf(spans[n]!.spanContext())
      : (command.trace ?? activeTrace()),
  }));
  return {
    traced,
    end: (outcomes) => {
      for (const [n, outcome] of outcomes.entries()) endCommand(workflow, spans[n]!, outcome);
    },
    /** The batch failed with an error of the database. */
    failed: (error) => {
      for (const span of spans) {
        fail(span, error);
        span.end();
      }
    },
  };
}

function endCommand(workflow: string, span: Span, { outcome }: TracedOutcome): void {
  instruments().commands.add(1, { 'seine.workflow.name': workflow, 'seine.outcome': outcome });
  span.setAttribute('seine.outcome', outcome);
  if (outcome === 'failed')
    span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', 'failed');
  span.end();
}

/** Span of the reaction to one event. */
export function traceReaction<T>(
  workflow: string,
  id: string,
  event: { readonly type: string; readonly version: number; readonly trace?: string | null | undefined },
  react: () => T,
): T {
  const attributes = {
    ...attributesOf(workflow, id),
    'seine.event.type': event.type,
    'seine.event.version': event.version,
  };
  const parent = contextOf(event.trace ?? null);
  const span = tracer.startSpan(`react ${workflow}`, { kind: SpanKind.INTERNAL, attributes }, parent);
  const count = (outcome: string) =>
    instruments().reactions.add(1, { 'seine.workflow.name': workflow, 'seine.outcome': outcome });
  try {
    const result = context.with(trace.setSpan(parent, span), react);
    count('ok');
    return result;
  } catch (error) {
    fail(span, error);
    count('failed');
    throw error;
  } finally {
    span.end();
  }
}

interface ActionAttempt {
  readonly workflow: string;
  readonly workflowId: string;
  readonly name: string;
  readonly attempts: number;
  readonly trace?: string | null | undefined;
}

/** Span of one attempt of an action, parent of the spans that its code creates. */
export async function traceAction<T>(action: ActionAttempt, run: () => Promise<T>): Promise<T> {
  const { workflow, name } = action;
  const kind = { 'seine.workflow.name': workflow, 'seine.action.name': name };
  const attributes = {
    ...attributesOf(workflow, action.workflowId),
    ...kind,
    'seine.action.attempt': action.attempts,
  };
  const parent = contextOf(action.trace ?? null);
  const span = tracer.startSpan(`action ${name}`, { kind: SpanKind.INTERNAL, attributes }, parent);
  const began = performance.now();
  let outcome = 'ok';
  try {
    return await context.with(trace.setSpan(parent, span), run);
  } catch (error) {
    outcome = 'failed';
    fail(span, error);
    throw error;
  } finally {
    const { actionAttempts, actionDuration } = instruments();
    actionAttempts.add(1, { ...kind, 'seine.outcome': outcome });
    actionDuration.record((performance.now() - began) / 1000, { ...kind, 'seine.outcome': outcome });
    span.end();
  }
}

export function countDelivered(workflow: string, outcomes: readonly TracedOutcome[]): void {
  for (const { outcome } of outcomes.filter((one) => one.outcome !== 'overtaken'))
    instruments().messages.add(1, { 'seine.workflow.name': workflow, 'seine.outcome': outcome });
}

function attributesOf(workflow: string, id: string): Attributes {
  return { 'seine.workflow.name': workflow, 'seine.workflow.id': id };
}

/** Only the kind of the error: its message may contain event data. */
function fail(span: Span, error: unknown): void {
  const type = error instanceof Error ? error.name : typeof error;
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', type);
}
