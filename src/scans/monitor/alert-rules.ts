/** The rules of the alerts, one function each; null when the alert is not active. */
import { parkedText, rejectedText } from '../../workflows/queries/health.ts';
import { formatUnserved, UNSERVED_ADVICE } from '../../workflows/queries/unserved.ts';
import { formatStall, stallAdvice } from '../../workflows/stall/stall.ts';
import type { Alert, AlertThresholds } from './alert.ts';
import type { Snapshot, Surroundings, WorkerStatus } from './snapshot.ts';

type AlertRule<Seen = Snapshot> = (
  now: Seen,
  thresholds: AlertThresholds,
  before: Seen | null,
) => Alert | null;

const ACTIVE: ReadonlySet<string> = new Set(['planning', 'running', 'finalizing']);
const NAMED = 3;

const staleWorker: AlertRule<Surroundings> = (now, { staleWorkerMs }) => {
  const stale = now.workers.list.filter((worker) => worker.seenSeconds * 1000 > staleWorkerMs);
  if (stale.length === 0) return null;
  const names = named(stale.map(nameOf));
  const longest = Math.max(...stale.map((worker) => worker.seenSeconds));
  return {
    id: 'worker-stale',
    severity: 'warning',
    what: `${plural(stale.length, 'worker has', 'workers have')} missed heartbeats for up to ${ago(longest)}: ${names}.`,
    advice:
      'Other workers take over their shards. Check process, network and memory on those machines, and restart the workers.',
  };
};

/**
 * Liveness is measured by progress, because a hung worker makes none. A cursor may be still longer while
 * its worker reads one huge object.
 */
const HUGE_OBJECT_FACTOR = 6;
const shardWithoutProgress: AlertRule = (now, { shardWithoutProgressMs }) => {
  if (now.scan.status !== 'running' || now.scan.paused) return null;
  const still = now.stillest.filter(({ stillSeconds, workerStillSeconds }) => {
    const idle = Math.min(stillSeconds, workerStillSeconds ?? stillSeconds) * 1000;
    return idle > shardWithoutProgressMs || stillSeconds * 1000 > HUGE_OBJECT_FACTOR * shardWithoutProgressMs;
  });
  if (still.length === 0) return null;
  const longest = Math.max(...still.map((shard) => shard.stillSeconds));
  const which = named(still.map((shard) => `shard ${shard.shard} after "${shorten(shard.cursor)}"`));
  return {
    id: 'shard-without-progress',
    severity: 'warning',
    what: `${plural(still.length, 'held shard has', 'held shards have')} made no progress for up to ${ago(longest)}: ${which}.`,
    advice:
      'Check whether the source responds at that key. If the worker is stopped, another one resumes the shard at its cursor.',
  };
};

const deadLettersGrowing: AlertRule = ({ deadLetters }, { deadLettersPerMinute }) => {
  if (deadLetters.lastMinute <= deadLettersPerMinute) return null;
  const top = deadLetters.signatures[0];
  const mostly = top === undefined ? '' : `, mostly "${top.signature}"`;
  return {
    id: 'dead-letters-growing',
    severity: 'warning',
    what: `${deadLetters.lastMinute} dead letters in the last minute, ${deadLetters.total} in total${mostly}.`,
    advice: 'Fix their common cause, then retry them.',
  };
};

const limiterWaiting: AlertRule = (now, thresholds) => {
  const busy = now.workers.list.filter((worker) => worker.holding > 0 && !worker.stale);
  if (busy.length === 0) return null;
  const share = busy.reduce((sum, worker) => sum + worker.waiting, 0) / busy.length;
  if (share <= thresholds.limiterWaiting) return null;
  return {
    id: 'limiter-waiting',
    severity: 'notice',
    what: `The workers wait for the rate limit ${Math.round(share * 100)} % of the time.`,
    advice:
      'More workers would not help. Raise the limit of the source if its provider allows it, or use fewer workers.',
  };
};

const leaderFlapping: AlertRule<Surroundings> = (now, { leaderChangesPerHour }, before) => {
  if (before?.leader == null || now.leader === null) return null;
  const changes = now.leader.term - before.leader.term;
  const hours = secondsBetween(before, now) / 3600;
  if (changes <= leaderChangesPerHour * Math.max(1, hours)) return null;
  return {
    id: 'leader-flapping',
    severity: 'warning',
    what: `The leader changed ${changes} times in ${ago(hours * 3600)}.`,
    advice:
      'Leaders lose their lease when they or the database stall: look for overloaded machines, slow storage, a network that drops connections.',
  };
};

const connectionsShort: AlertRule<Surroundings> = ({ connections }, { connectionsPercent }) => {
  const percent = (100 * connections.used) / connections.most;
  if (percent < connectionsPercent) return null;
  return {
    id: 'connections-short',
    severity: percent >= 95 ? 'critical' : 'warning',
    what: `The database has ${connections.used} of ${connections.most} connections in use.`,
    advice: 'Give each worker a smaller pool, or raise max_connections of the server.',
  };
};

const noWorker: AlertRule = (now, { staleWorkerMs }, before) => {
  if (!ACTIVE.has(now.scan.status) || now.scan.paused) return null;
  const { waiting, expired, held, done, failed } = now.shards;
  const unplanned = waiting + held + done + failed === 0;
  const waits = unplanned || waiting + expired > 0 || now.scan.status === 'finalizing';
  if (waits && now.workers.ready === 0) return noWorkerAlert(`No workers running for scan ${now.scan.id}`);
  const long = before !== null && secondsBetween(before, now) * 1000 >= staleWorkerMs;
  if (
    !long ||
    !hasUnclaimedShards(before) ||
    !hasUnclaimedShards(now) ||
    before.done.objects !== now.done.objects
  )
    return null;
  return noWorkerAlert(
    now.scan.place === null
      ? `${now.shards.waiting} shards pending, and none of ${now.workers.ready} workers claims one`
      : `${now.shards.waiting} shards pending, and no worker on the host that has the folder (${now.workers.ready} workers running)`,
  );
};

function hasUnclaimedShards({ shards }: Snapshot): boolean {
  return shards.waiting > shards.delayed && shards.held === 0;
}

function noWorkerAlert(what: string): Alert {
  return {
    id: 'no-worker',
    severity: 'critical',
    what: `${what}.`,
    advice:
      'Start a worker with the same DATABASE_URL and fingerprint key (SEINE_FINGERPRINT_KEY); for a folder, on the machine that has it: seine worker',
  };
}

/** Longer than all attempts of a hook take, unless the receiver requests long delays. */
const MAX_HOOK_WAIT_SECONDS = 1800;
const hookWaiting: AlertRule = ({ hooks, scan }) => {
  const long = hooks.filter(({ waitingSeconds }) => waitingSeconds > MAX_HOOK_WAIT_SECONDS);
  const [first] = long;
  if (first === undefined) return null;
  const machine = first.place?.split('/')[0];
  const away = machine === undefined || first.hasWorker ? '' : ` on ${machine}, where no worker is running`;
  const which = named(long.map(({ name }) => name));
  const run = `seine hooks run ${scan.id}`;
  return {
    id: 'hook-waiting',
    severity: 'warning',
    what: `${plural(long.length, 'hook of an ended scan has', 'hooks of an ended scan have')} been pending for up to ${ago(first.waitingSeconds)}${away}: ${which}.`,
    advice:
      away === ''
        ? `Show the cause with seine hooks list ${scan.id}, or run them now: ${run}`
        : `Start a worker there: seine worker. If the machine is gone, run them on another one: ${run} --on-this-host`,
  };
};

const logStalled: AlertRule<Surroundings> = ({ workflows: { stall } }) =>
  stall && { id: 'log-stalled', severity: 'critical', what: formatStall(stall), advice: stallAdvice(stall) };

const messagesUnserved: AlertRule<Surroundings> = ({ workflows: { unserved } }) => {
  if (unserved.length === 0) return null;
  const what = unserved.slice(0, NAMED).map(formatUnserved).join(' ');
  return { id: 'messages-unserved', severity: 'warning', what, advice: UNSERVED_ADVICE };
};

const workflowsParked: AlertRule<Surroundings> = ({ workflows: { parked } }) => {
  const [first] = parked;
  if (first === undefined) return null;
  return {
    id: 'workflows-parked',
    severity: 'warning',
    what: parked.slice(0, NAMED).map(parkedText).join(' '),
    advice: `See which, and why: seine workflows parked ${first.workflow}. Once the cause is removed, try them again: seine workflows retry ${first.workflow}`,
  };
};

const messagesRejected: AlertRule<Surroundings> = (
  { workflows: { rejected } },
  { rejectedMessagesPerHour },
) => {
  const many = rejected.filter(({ messages }) => messages > rejectedMessagesPerHour);
  const [first] = many;
  if (first === undefined) return null;
  return {
    id: 'messages-rejected',
    severity: 'warning',
    what: many.slice(0, NAMED).map(rejectedText).join(' '),
    advice: `Their senders got no answer. See why with seine workflows show ${first.workflow} ID. If so many are expected, raise alerts.rejected_messages_per_hour.`,
  };
};

/** What can be said without a scan. */
export const SCANLESS_RULES: readonly AlertRule<Surroundings>[] = [
  logStalled,
  staleWorker,
  messagesUnserved,
  workflowsParked,
  messagesRejected,
  leaderFlapping,
  connectionsShort,
];

export const RULES: readonly AlertRule[] = [
  noWorker,
  logStalled,
  staleWorker,
  messagesUnserved,
  workflowsParked,
  messagesRejected,
  shardWithoutProgress,
  hookWaiting,
  deadLettersGrowing,
  leaderFlapping,
  connectionsShort,
  limiterWaiting,
];

function nameOf(worker: WorkerStatus): string {
  return `${worker.host}:${worker.pid}`;
}

function named(names: readonly string[]): string {
  const more = names.length - NAMED;
  return [...names.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function plural(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

function ago(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function shorten(key: string): string {
  return key.length <= 60 ? key : `${key.slice(0, 20)}...${key.slice(-37)}`;
}

function secondsBetween(before: Surroundings, now: Surroundings): number {
  return (Date.parse(now.at) - Date.parse(before.at)) / 1000;
}
