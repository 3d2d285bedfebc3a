/** Alert thresholds and retention: what concerns the operation of a system rather than one scan. */
import { group, single } from './shape.ts';
import { decimal, duration, durationOrNever, integer } from './value-type.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const YEARS = 36_500 * DAY;

export const ALERTS = group('Alert thresholds', {
  stale_worker: single('Time without a heartbeat of a worker', duration(1000, DAY), {
    harmless: true,
    default: MINUTE,
  }),
  shard_without_progress: single('Time without progress of a shard', duration(1000, 30 * DAY), {
    harmless: true,
    default: 5 * MINUTE,
  }),
  dead_letters_per_minute: single('Dead letters per minute', decimal(0, 1_000_000), {
    harmless: true,
    default: 10,
  }),
  limiter_waiting: single('Share of the workers’ time spent waiting for the rate limit', decimal(0, 1), {
    harmless: true,
    default: 0.5,
  }),
  leader_changes_per_hour: single('Leader changes per hour', decimal(0, 10_000), {
    harmless: true,
    default: 3,
  }),
  connections_percent: single('Percentage of the database’s connections in use', decimal(0, 100), {
    harmless: true,
    default: 80,
  }),
  rejected_messages_per_hour: single(
    'Messages that workflows of one kind rejected in an hour',
    integer(0, 1_000_000),
    { harmless: true, default: 0 },
  ),
});

export const RETENTION = group('How long ended scans and workflows are kept', {
  finished_scans: single('Ended scans with their findings', durationOrNever(60 * MINUTE, YEARS), {
    default: null,
  }),
  ended_leases: single('Cursors of ended shards', durationOrNever(MINUTE, YEARS), {
    default: 7 * DAY,
  }),
  ended_workflows: single(
    'Events, actions and results of your workflows that have ended; their ids stay reserved',
    durationOrNever(60 * MINUTE, YEARS),
    { default: null },
  ),
  command_ids: single(
    'Ids of commands whose events were deleted; until then a repeated command has no effect',
    durationOrNever(60 * MINUTE, YEARS),
    { default: null },
  ),
  finished_actions: single(
    'Ended actions of your workflows, also of workflows that continue',
    durationOrNever(60 * MINUTE, YEARS),
    { default: null },
  ),
});
