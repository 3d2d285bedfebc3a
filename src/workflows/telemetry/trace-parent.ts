/**
 * The trace context of a command, stored with its events, actions and messages as a W3C traceparent. Only while a span is active; without a registered
 * SDK there never is one, and nothing is stored.
 */
import {
  type Context,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
} from '@opentelemetry/api';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export function activeTrace(): string | null {
  const span = trace.getSpanContext(context.active());
  return span ? traceParentOf(span) : null;
}

export function traceParentOf(span: SpanContext): string | null {
  if (!isSpanContextValid(span)) return null;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
}

/** The stored trace context, else the active one. */
export function contextOf(traceParent: string | null): Context {
  if (traceParent === null) return context.active();
  const found = TRACEPARENT.exec(traceParent);
  if (!found) return ROOT_CONTEXT;
  const [, traceId, spanId, flags] = found;
  const span = {
    traceId: traceId!,
    spanId: spanId!,
    traceFlags: Number.parseInt(flags!, 16),
    isRemote: true,
  };
  return trace.setSpanContext(ROOT_CONTEXT, span);
}
