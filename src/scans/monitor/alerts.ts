/**
 * Evaluates alerts from snapshots: a pure function, used by `seine monitor` and by the leader. Every alert
 * appears at most once, however many workers or shards it affects, and contains the remedy.
 */
import { type Alert, type AlertThresholds, DEFAULT_THRESHOLDS, type Severity } from './alert.ts';
import { RULES, SCANLESS_RULES } from './alert-rules.ts';
import type { Snapshot, Surroundings } from './snapshot.ts';

const BY_SEVERITY: readonly Severity[] = ['critical', 'warning', 'notice'];

/**
 * `before` is an earlier snapshot of the same scan, up to an hour older (see snapshot-history.ts), for
 * alerts that depend on the difference. Null: those are not evaluated.
 */
export function evaluateAlerts(
  before: Snapshot | null,
  now: Snapshot,
  thresholds: AlertThresholds = DEFAULT_THRESHOLDS,
): Alert[] {
  return gravestFirst(RULES.map((rule) => rule(now, thresholds, before)));
}

/** The same where there is no scan. */
export function evaluateScanlessAlerts(
  before: Surroundings | null,
  now: Surroundings,
  thresholds: AlertThresholds = DEFAULT_THRESHOLDS,
): Alert[] {
  return gravestFirst(SCANLESS_RULES.map((rule) => rule(now, thresholds, before)));
}

function gravestFirst(alerts: readonly (Alert | null)[]): Alert[] {
  return alerts
    .filter((alert) => alert !== null)
    .sort((a, b) => BY_SEVERITY.indexOf(a.severity) - BY_SEVERITY.indexOf(b.severity));
}
