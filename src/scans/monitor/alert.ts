/** Alerts and their thresholds. */

export type AlertId =
  | 'worker-stale'
  | 'shard-without-progress'
  | 'dead-letters-growing'
  | 'limiter-waiting'
  | 'leader-flapping'
  | 'connections-short'
  | 'no-worker'
  | 'hook-waiting'
  | 'log-stalled'
  | 'messages-unserved'
  | 'workflows-parked'
  | 'messages-rejected';

/** `notice`: slower than possible. `warning`: act today. `critical`: no progress. */
export type Severity = 'notice' | 'warning' | 'critical';

export interface Alert {
  readonly id: AlertId;
  readonly severity: Severity;
  /** One sentence that describes the problem. */
  readonly what: string;
  /** What to do about it. */
  readonly advice: string;
}

export interface AlertThresholds {
  readonly staleWorkerMs: number;
  readonly shardWithoutProgressMs: number;
  readonly deadLettersPerMinute: number;
  /** Share of the workers' time, 0 to 1, spent waiting for the rate limit. */
  readonly limiterWaiting: number;
  readonly leaderChangesPerHour: number;
  readonly connectionsPercent: number;
  /** Of one kind of workflow. */
  readonly rejectedMessagesPerHour: number;
}

export const DEFAULT_THRESHOLDS: AlertThresholds = {
  staleWorkerMs: 60_000,
  shardWithoutProgressMs: 300_000,
  deadLettersPerMinute: 10,
  limiterWaiting: 0.5,
  leaderChangesPerHour: 3,
  connectionsPercent: 80,
  rejectedMessagesPerHour: 0,
};
