import { context, metrics, type Span, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { SeineError } from '../../base/errors.ts';
import { type Database, many } from '../../db/database.ts';
import { handleCommands } from '../commands/handle.ts';
import { tell } from '../effects.ts';
import { readRemainingWork } from '../queries/partition-store.ts';
import { type ErrandCommand, errand } from '../runner/errand.fixture.ts';
import { startRunner } from '../runner/runner.ts';

let db: Database;
const spans = new InMemorySpanExporter();
const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });

beforeAll(async () => {
  db = await freshDatabase(12);
});
afterAll(async () => {
  trace.disable();
  metrics.disable();
  context.disable();
  await db.close();
});

const tenant = 'default';
const SECRET = 4_111_111_111_111_111;
const other = errand({ name: 'traced-other' });
let inAction: Span | undefined;
const workflow = errand({
  name: 'traced',
  work: async ({ n }) => {
    inAction = trace.getActiveSpan();
    if (n === 13) throw new SeineError('usage', `The card ${SECRET} was declined.`);
    return n;
  },
  more: (event) => (event.type === 'asked' ? [tell(other, 'b', { type: 'run', n: 7 })] : []),
});
const command = (of: ErrandCommand, id = 'a') => ({ tenant, id, command: of });

async function settle(): Promise<void> {
  const workflows = [workflow, other];
  const runner = await startRunner(db, { workflows, leaseMs: 60_000, pollMs: 20 });
  const names = workflows.map(({ name }) => name);
  await waitFor(db, 'nothing to be left', async () =>
    Object.values(await readRemainingWork(db, names, null)).some(Boolean) ? null : true,
  );
  await reader.forceFlush();
  await runner.stop(0);
}

const ended = (name: string) => spans.getFinishedSpans().filter((span) => span.name === name);
const of = (span: ReadableSpan, type: string) => span.attributes['seine.event.type'] === type;

describe('without a registered SDK', () => {
  it('nothing is kept of traces', async () => {
    await handleCommands(db, workflow, [command({ type: 'run', n: 1 })]);
    await settle();
    expect(await many(db, 'select from event where trace is not null')).toEqual([]);
    expect(await many(db, 'select from action where trace is not null')).toEqual([]);
  });
});

describe('with a registered SDK', () => {
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager());
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
    );
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  });
  beforeEach(() => spans.reset());

  it('the trace of a command continues in reactions, actions and the commands of others', async () => {
    const tracer = trace.getTracer('test');
    const request = tracer.startSpan('POST /orders');
    await context.with(trace.setSpan(context.active(), request), () =>
      handleCommands(db, workflow, [command({ type: 'run', n: 2 })]),
    );
    request.end();
    await settle();
    const { traceId } = request.spanContext();
    const [sent] = ended('command traced');
    expect(sent!.parentSpanContext!.spanId).toBe(request.spanContext().spanId);
    expect(sent!.attributes).toMatchObject({
      'seine.workflow.name': 'traced',
      'seine.workflow.id': 'a',
      'seine.command.type': 'run',
      'seine.outcome': 'accepted',
    });
    const reaction = ended('react traced').find((span) => of(span, 'asked'))!;
    expect(reaction.parentSpanContext!.spanId).toBe(sent!.spanContext().spanId);
    const [action] = ended('action work').filter(
      (span) => span.attributes['seine.workflow.name'] === 'traced',
    );
    expect(action!.parentSpanContext!.spanId).toBe(sent!.spanContext().spanId);
    expect(inAction!.spanContext().spanId).toBe(action!.spanContext().spanId); // what it calls stands below it
    expect(ended('react traced').some((span) => of(span, 'work.done'))).toBe(true);
    const [delivered] = ended('command traced-other');
    expect(delivered!.parentSpanContext!.spanId).toBe(sent!.spanContext().spanId);
    expect([sent!.kind, delivered!.kind]).toEqual([SpanKind.INTERNAL, SpanKind.CONSUMER]);
    const whole = [
      ...ended('react traced'),
      ...ended('action work'),
      delivered!,
      ...ended('react traced-other'),
    ];
    expect(new Set(whole.map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]));
  });

  it('failures are marked, and no value of a command, an event or an error is recorded', async () => {
    await handleCommands(db, workflow, [
      command({ type: 'run', n: 13 }),
      command({ type: 'run', n: SECRET }),
    ]);
    await settle();
    const failed = ended('action work').find((span) => span.attributes['error.type'] !== undefined)!;
    expect(failed).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'SeineError' } });
    const recorded = spans
      .getFinishedSpans()
      .map(({ name, attributes, status, events }) => ({ name, attributes, status, events }));
    expect(JSON.stringify(recorded)).not.toContain(String(SECRET));
    expect(JSON.stringify(measured.getMetrics().map(({ scopeMetrics }) => scopeMetrics))).not.toContain(
      String(SECRET),
    );
  });

  it('commands, reactions, messages, actions, lag and what is parked are measured', async () => {
    await handleCommands(db, workflow, [command({ type: 'run', n: 3 }, 'c')]);
    await settle();
    const all = measured
      .getMetrics()
      .at(-1)!
      .scopeMetrics.flatMap((scope) => scope.metrics);
    const points = (name: string) => all.find(({ descriptor }) => descriptor.name === name)!.dataPoints;
    const value = (name: string, wanted: Record<string, unknown>) =>
      points(name).find(({ attributes }) =>
        Object.entries(wanted).every(([key, is]) => attributes[key] === is),
      )?.value;
    const mine = { 'seine.workflow.name': 'traced' };
    expect(value('seine.workflow.commands', { ...mine, 'seine.outcome': 'accepted' })).toBe(4);
    expect(value('seine.workflow.reactions', { ...mine, 'seine.outcome': 'ok' })).toBe(8);
    expect(value('seine.workflow.action.attempts', { ...mine, 'seine.outcome': 'failed' })).toBe(1);
    expect(value('seine.workflow.action.duration', { ...mine, 'seine.outcome': 'ok' })).toMatchObject({
      count: 3,
    });
    expect(value('seine.workflow.messages', { 'seine.workflow.name': 'traced-other' })).toBe(4);
    expect(
      points('seine.workflow.lag').filter(({ attributes }) => attributes['seine.workflow.name'] === 'traced'),
    ).toHaveLength(256);
    expect(value('seine.workflow.lag.age', mine)).toBe(0);
    expect(value('seine.workflow.waiting', { ...mine, 'seine.waiting': 'action' })).toBe(0);
    expect(value('seine.workflow.parked', { ...mine, 'seine.parked': 'reaction' })).toBe(0);
    expect(
      JSON.stringify(all.map(({ dataPoints }) => dataPoints.map(({ attributes }) => attributes))),
    ).not.toContain('workflow.id');
  });
});
