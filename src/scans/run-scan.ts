/**
 * The hands of a process: each claims a shard, runs it, and claims the next; whoever finds none steals a part of a running one.
 * A process works on one scan until it ends (`runScan`), or on whatever there is (`runWorker`). Nothing here assumes that it is
 * the only process.
 */
import type { Bell } from '../base/bell.ts';
import { messageOf } from '../base/errors.ts';
import type { Database } from '../db/database.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { claimLease } from '../engine/leases/claim-store.ts';
import { type Held, openHeld, restOf } from '../engine/leases/lease.ts';
import { Claimer, patiently } from './claimer.ts';
import { boundCrashes } from './crashes.ts';
import { readRetryKeys, retrySource } from './dead-letters/retry-source.ts';
import type { LiveCounters } from './live-counters.ts';
import { PLAIN_NAMES } from './names/name-masker.ts';
import { judgingOf } from './parts/assemble.ts';
import { openPart } from './parts/open-part.ts';
import { putBack } from './put-back.ts';
import { runShard, type ShardEnd } from './run-shard.ts';
import type { Contexts, ScanContext } from './scan-context.ts';
import { readScan } from './scan-store.ts';
import type { ShardTools } from './shard-progress.ts';
import { readShard, type ScanNow, stealableScans } from './shard-store.ts';
import { SignsOfLife } from './signs-of-life.ts';
import { SHARD } from './start.ts';
import { Starting } from './starting.ts';

export interface HandTools {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly contexts: Contexts;
  readonly live: LiveCounters;
  readonly ttlMs: number;
  readonly worker: string;
  /** Folders of this machine are scanned by its own workers only. */
  readonly place: string;
  /** What scans may require of a worker: the check value of its fingerprint key. */
  readonly offers: readonly string[];
  readonly hands: number;
  /** From this size on an object is read by parts, if not from the usual one. */
  readonly splitFrom?: number | undefined;
  readonly news: Bell;
  /** The threads have as much as they can take. */
  readonly isBusy?: () => boolean;
  /** A shard was put back: why. */
  readonly onTrouble: (scan: number, reason: string) => void;
}

const SEEN_EVERY_MS = 500;
const SWEEP_EVERY_MS = 30_000;
/** Errors in a row after which a process that works on one scan says so instead of waiting longer. */
const PATIENCE = 7;

/** Until the scan has ended, was paused or interrupted elsewhere, or `signal` says stop. The first failure for good is thrown. */
export async function runScan(scan: number, tools: HandTools, signal: AbortSignal): Promise<void> {
  const { contexts } = tools;
  const signs = new SignsOfLife(tools.db, SEEN_EVERY_MS);
  const starting = new Starting();
  const claimer = new Claimer({
    claim: () => claim(tools, scan),
    isBusy: () => starting.any || (tools.isBusy?.() ?? false),
    isOver: async () =>
      !['planning', 'running', 'finalizing'].includes((await readScan(tools.db, scan))!.status),
    steal: async (stop) => (await contexts.of(scan)).thief.steal(stop),
    news: tools.news,
    longestPauseMs: 100,
  });
  try {
    await allHands(tools.hands, signal, (stop) => work(claimer, signs, starting, tools, stop, 'strict'));
  } finally {
    signs.stop();
    await contexts.close();
  }
}

/** Until `signal` says stop. What goes wrong with one scan is that scan's trouble, not the worker's. */
export async function runWorker(tools: HandTools, signal: AbortSignal): Promise<void> {
  const { contexts } = tools;
  const signs = new SignsOfLife(tools.db);
  const starting = new Starting();
  const sweeping = setInterval(() => void contexts.sweep((scan) => signs.areOf(scan)), SWEEP_EVERY_MS);
  const claimer = new Claimer({
    claim: () => claim(tools, null),
    isBusy: () => starting.any || (tools.isBusy?.() ?? false),
    isOver: async () => false,
    steal: (stop) => stealAnywhere(contexts, tools, stop),
    news: tools.news,
    longestPauseMs: 1000,
  });
  try {
    await allHands(tools.hands, signal, (stop) => work(claimer, signs, starting, tools, stop, 'patient'));
  } finally {
    clearInterval(sweeping);
    signs.stop();
    await contexts.close();
  }
}

/** The first that fails stops the others in order; then the failure is told. */
async function allHands(
  count: number,
  signal: AbortSignal,
  work: (stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const ends = Array.from({ length: count }, () =>
    work(stop).catch((error) => {
      failed.abort();
      throw error;
    }),
  );
  for (const end of await Promise.allSettled(ends)) if (end.status === 'rejected') throw end.reason;
}

/** One pair of hands. */
async function work(
  claimer: Claimer,
  signs: SignsOfLife,
  starting: Starting,
  tools: HandTools,
  signal: AbortSignal,
  manner: 'strict' | 'patient',
): Promise<void> {
  const { contexts } = tools;
  for (let held = await claimer.next(signal); held; held = await claimer.next(signal)) {
    const mine = held;
    const begun = () => void (starting.end(mine.id) && tools.news.ring());
    starting.begin(mine.id);
    try {
      const run = () => runLease(mine, tools, begun, signal);
      await signs.during(held.work, () => boundCrashes(mine, tools, signal, run));
    } catch (error) {
      if (signal.aborted) return;
      const { names } = await contexts.of(held.work).catch(() => ({ names: PLAIN_NAMES }));
      tools.onTrouble(held.work, names.message(messageOf(error)));
      const { givenUp, failures } = await patiently(() => putBack(mine, { ...tools, names }, error), signal);
      const broken = await faultOf(contexts, held.work);
      if (manner === 'strict' && (givenUp || broken || failures > PATIENCE)) throw error;
      if (contexts.fault) throw contexts.fault; // without threads nothing can be done for anybody
      if (broken) await contexts.drop(held.work); // it is opened anew with its next shard
    } finally {
      begun();
    }
  }
}

async function faultOf(contexts: Contexts, scan: number): Promise<Error | null> {
  return contexts.of(scan).then(
    ({ lane }) => lane.fault,
    (error: Error) => error,
  );
}

async function runLease(
  claimed: Held,
  tools: HandTools,
  onBegin: () => void,
  signal: AbortSignal,
): Promise<ShardEnd> {
  const { db, jobs, live, ttlMs, splitFrom } = tools;
  const { kind, ...now } = await patiently(() => readShard(db, claimed.id), signal);
  const context = await currentContext(tools.contexts, claimed.work, now);
  const { source, lane: pool, hash, scan, change, experience, names } = context;
  const held = kind === 'part' ? claimed : openHeld(claimed, names);
  const stop = AbortSignal.any([signal, context.stopped]);
  const shard: ShardTools = {
    db,
    jobs,
    live,
    ttlMs,
    source,
    pool,
    hash,
    base: scan.base,
    inventoryKey: context.inventoryKey,
    change,
    splitFrom,
    experience,
    onBegin,
    started: now.started,
    names,
  };
  if (kind === 'range') return runShard(held, shard, stop);
  if (kind === 'part') {
    const part = await openPart(db, held, source, judgingOf(scan.ruleSet, scan.keepEach), undefined, names);
    if (part === null) return 'lost';
    return runShard(held, { ...shard, source: part.source, base: null, part }, stop);
  }
  const keys = await readRetryKeys(db, held.id, restOf(held), names);
  const again = { ...shard, source: retrySource(source, keys), base: null, retrying: true };
  return runShard(held, again, stop);
}

/** A scan may have been resumed under other rules or versions, or with its first budget, since this process last looked. */
async function currentContext(contexts: Contexts, scan: number, now: ScanNow): Promise<ScanContext> {
  const context = await contexts.of(scan);
  if (isCurrent(context, now)) return context;
  await contexts.drop(scan);
  return contexts.of(scan);
}

function isCurrent({ scan, budgeted }: ScanContext, now: ScanNow): boolean {
  return (
    scan.rulesHash === now.rulesHash &&
    scan.inventoryKey === now.inventoryKey &&
    scan.createdAt.getTime() === now.createdAt.getTime() &&
    budgeted === now.budgeted
  );
}

function claim({ db, worker, place, offers, ttlMs }: HandTools, scan: number | null): Promise<Held | null> {
  return claimLease(db, { kind: SHARD, work: scan, holder: worker, place, offers, ttlMs });
}

async function stealAnywhere(
  contexts: Contexts,
  { db, place, offers }: HandTools,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    for (const scan of await stealableScans(db, place, offers)) {
      const { thief } = await contexts.of(scan);
      if (await thief.steal(signal)) return true;
    }
  } catch {
    // Whatever is wrong with it, its holders will meet it too.
  }
  return false;
}
