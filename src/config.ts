/**
 * Everything that can be set, read once and frozen: flags before environment before file before defaults. The settings are declared in
 * config/declaration/declaration.ts.
 */
import { resolve } from 'node:path';
import { SeineError } from './base/errors.ts';
import { type HookConfig, hookConfigs } from './config/hook-config.ts';
import { type ConfigFlags, type Loaded, loadSettings } from './config/load.ts';
import { configError } from './config/problem.ts';
import type { SourceEntry } from './config/source-config.ts';
import { sourceEntries } from './config/source-entries.ts';
import { checkReferences } from './config/values/check-references.ts';
import { type Reference, resolveReference } from './config/values/reference.ts';

export interface Config {
  /** The configuration file, as people know it; null: there is none. */
  readonly file: string | null;
  readonly dataFolder: string;
  /** `single`: one process does everything. `distributed`: workers share a database. */
  readonly mode: 'single' | 'distributed';
  readonly databaseUrl: string | undefined;
  /** Past a connection pooler, to listen on. */
  readonly directDatabaseUrl: string | undefined;
  /** Connections of this process to the database, at most; one more listens. */
  readonly pool: number;
  readonly redisUrl: string | undefined;
  readonly tenant: string;
  /** Shards that a worker has in hand at a time. */
  readonly concurrency: number;
  /** Detection threads. */
  readonly threads: number;
  /** Megabytes of this process and its reader processes together. */
  readonly megabytes: number | undefined;
  /** Objects of a bucket that each thread fetches at the same time. */
  readonly readsAtOnce: number;
  /** Lease duration: a shard is released if its worker has not renewed the lease for this time. */
  readonly leaseMs: number;
  readonly blockedMs: number;
  readonly heartbeatMs: number;
  /** How often a failed shard is tried again before it is a dead letter. */
  readonly maxRetries: number;
  /** A worker without a heartbeat for this long is considered dead. */
  readonly staleMs: number;
  /** How long one object may make no progress. */
  readonly stallMs: number;
  readonly plan: PlanConfig;
  /** `settingsFor` finds the one for a target, with its credentials. */
  readonly sources: readonly SourceEntry[];
  /** As written: `requests=2M, cost=$40`. */
  readonly budget: string | undefined;
  readonly hooks: readonly HookConfig[];
  /** Files whose workflows are run, as absolute paths. */
  readonly workflows: readonly string[];
  readonly alerts: AlertsConfig;
  readonly retention: RetentionConfig;
}

interface PlanConfig {
  readonly minObjectsPerShard: number;
  readonly maxInitialShards: number;
  /** Shards to begin with when nothing is known of the source's size. */
  readonly unknownShards: number;
  readonly listCalls: number;
}

/** From where on somebody should look. */
interface AlertsConfig {
  readonly staleWorkerMs: number;
  readonly shardWithoutProgressMs: number;
  readonly deadLettersPerMinute: number;
  /** Part of the workers' time, 0 to 1, spent waiting for the rate limit. */
  readonly limiterWaiting: number;
  readonly leaderChangesPerHour: number;
  readonly connectionsPercent: number;
  readonly rejectedMessagesPerHour: number;
}

/** Null: kept for ever. */
interface RetentionConfig {
  readonly finishedScansMs: number | null;
  readonly endedLeasesMs: number | null;
  readonly endedWorkflowsMs: number | null;
  readonly commandIdsMs: number | null;
  readonly finishedActionsMs: number | null;
}

/** Throws a usage error with the position of the first invalid setting. */
export function readConfig(flags: ConfigFlags, env: NodeJS.ProcessEnv): Config {
  const loaded = loadSettings(flags, env);
  if (loaded.problems.length > 0) throw configError(loaded.problems, loaded.file);
  return deepFreeze(toConfig(loaded, env));
}

function toConfig(loaded: Loaded, env: NodeJS.ProcessEnv): Config {
  const { mode, database, redis, tenant, worker, queue, plan, alerts, retention } = loaded.values;
  return {
    file: loaded.file,
    dataFolder: loaded.dataFolder,
    mode,
    databaseUrl: resolveAddress(loaded, 'database.url', database.url, env),
    directDatabaseUrl: resolveAddress(loaded, 'database.direct_url', database.direct_url, env),
    pool: database.pool,
    redisUrl: resolveAddress(loaded, 'redis.url', redis.url, env),
    tenant,
    concurrency: worker.concurrency,
    threads: worker.threads,
    megabytes: worker.memory,
    readsAtOnce: worker.reads_at_once,
    leaseMs: queue.claim_timeout,
    blockedMs: queue.blocked_timeout,
    heartbeatMs: queue.heartbeat_interval,
    maxRetries: queue.max_retries,
    staleMs: queue.stale_threshold,
    stallMs: queue.stall,
    plan: {
      minObjectsPerShard: plan.min_objects_per_shard,
      maxInitialShards: plan.max_initial_shards,
      unknownShards: plan.unknown_shards,
      listCalls: plan.list_calls,
    },
    sources: sourceEntries(loaded.values.sources, loaded.folder),
    budget: loaded.values.budget,
    hooks: hookConfigs(loaded.values.hooks),
    workflows: loaded.values.workflows.map((path) => resolve(loaded.folder, path)),
    alerts: {
      staleWorkerMs: alerts.stale_worker,
      shardWithoutProgressMs: alerts.shard_without_progress,
      deadLettersPerMinute: alerts.dead_letters_per_minute,
      limiterWaiting: alerts.limiter_waiting,
      leaderChangesPerHour: alerts.leader_changes_per_hour,
      connectionsPercent: alerts.connections_percent,
      rejectedMessagesPerHour: alerts.rejected_messages_per_hour,
    },
    retention: {
      finishedScansMs: retention.finished_scans,
      endedLeasesMs: retention.ended_leases,
      endedWorkflowsMs: retention.ended_workflows,
      commandIdsMs: retention.command_ids,
      finishedActionsMs: retention.finished_actions,
    },
  };
}

/** Every command needs these, so they are fetched at once; that a secret isn't there must not mean that another server is used. */
function resolveAddress(
  { settings, file }: Loaded,
  path: string,
  reference: Reference | undefined,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (reference === undefined) return undefined;
  const problems = checkReferences(
    settings.filter((setting) => setting.path === path),
    env,
    'error',
  );
  if (problems.length > 0) throw configError(problems, file);
  return resolveReference(reference, env);
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

export function parseWholeNumber(
  name: string,
  text: string | undefined,
  defaultValue: number,
  min: number,
  max: number,
): number {
  if (text === undefined || text === '') return defaultValue;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new SeineError('usage', `${name} must be a whole number from ${min} to ${max}, not "${text}".`);
}
