/**
 * Gauges of lag and parked work, read from the database whenever the registered SDK collects. Lag covers the partitions held by this runner, so that
 * the sum over all runners is right; parked and pending counts are the same from every runner: use the maximum.
 */
import { type BatchObservableResult, metrics } from '@opentelemetry/api';
import type { Queryable } from '../../db/database.ts';
import { countParked } from '../queries/health.ts';
import { countPendingWork, listReaders } from '../queries/partition-store.ts';
import { SCOPE } from './instruments.ts';

/** Limit for counting the lag of a partition. */
const MAX_COUNTED = 10_000;

export function observeWorkflows(
  db: Queryable,
  workflows: readonly string[],
  holder: string,
): { stop(): Promise<void> } {
  const meter = metrics.getMeter(SCOPE);
  const lag = meter.createObservableGauge('seine.workflow.lag', {
    description: 'Unread events of a partition, counted up to 10,000',
    unit: '{event}',
  });
  const age = meter.createObservableGauge('seine.workflow.lag.age', {
    description: 'Age of the oldest unread event of a partition',
    unit: 's',
  });
  const parked = meter.createObservableGauge('seine.workflow.parked', {
    description: 'Workflows and messages that failed too often and wait for an operator',
    unit: '{item}',
  });
  const waiting = meter.createObservableGauge('seine.workflow.waiting', {
    description: 'Messages and actions that are due and not started, counted up to 10,000',
    unit: '{item}',
  });
  const all = [lag, age, parked, waiting];
  const observe = async (result: BatchObservableResult) => {
    for (const workflow of workflows) {
      for (const one of await listReaders(db, workflow, MAX_COUNTED)) {
        if (one.holder !== holder) continue;
        const attributes = { 'seine.workflow.name': workflow, 'seine.workflow.part': one.part };
        result.observe(lag, one.lag, attributes);
        result.observe(age, one.waitingSeconds ?? 0, attributes);
      }
    }
    for (const { workflow, messages, actions } of await countPendingWork(db, workflows, MAX_COUNTED)) {
      result.observe(waiting, messages, { 'seine.workflow.name': workflow, 'seine.waiting': 'message' });
      result.observe(waiting, actions, { 'seine.workflow.name': workflow, 'seine.waiting': 'action' });
    }
    const counts = new Map((await countParked(db)).map((one) => [one.workflow, one]));
    for (const workflow of workflows) {
      const { reactions = 0, messages = 0 } = counts.get(workflow) ?? {};
      result.observe(parked, reactions, { 'seine.workflow.name': workflow, 'seine.parked': 'reaction' });
      result.observe(parked, messages, { 'seine.workflow.name': workflow, 'seine.parked': 'message' });
    }
  };
  const observing = (result: BatchObservableResult) => observe(result).catch(() => {}); // database unavailable: retried at the next collection
  meter.addBatchObservableCallback(observing, all);
  return { stop: async () => meter.removeBatchObservableCallback(observing, all) };
}
