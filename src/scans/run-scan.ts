/**
 * Working on a scan in this process until it ends or is interrupted: several shards at a time, each claimed, run and
 * replaced by the next; whoever finds none steals a part of a running one. Nothing here assumes that this is the only
 * process: the scan ends when its row says so.
 */

import type { Bell } from '../base/bell.ts';
import { messageOf } from '../base/errors.ts';
import { backoff, retrying } from '../base/retry.ts';
import type { Held } from '../engine/leases/lease.ts';
import { claimLease, failLease, retryLeaseLater } from '../engine/leases/lease-store.ts';
import { lastShardEnded } from './finalize.ts';
import type { ScanStatus } from './report.ts';
import { runShard } from './run-shard.ts';
import { readScan, scanSeen } from './scan-store.ts';
import { DATABASE_PATIENCE_MS, type ShardTools } from './shard-progress.ts';
import { SHARD } from './start.ts';
import { Thief } from './steal.ts';

export interface ScanTools extends ShardTools {
  readonly worker: string;
  readonly shardsAtOnce: number;
  /** Rings when something may have changed: planned, finalized. */
  readonly news: Bell;
}

const SEEN_EVERY_MS = 500;
const MOST_ATTEMPTS = 8;
const ENDED: readonly ScanStatus[] = ['completed', 'incomplete', 'failed'];

export async function runScan(scan: number, tools: ScanTools, signal: AbortSignal): Promise<void> {
  const seen = setInterval(() => void scanSeen(tools.db, scan).catch(() => {}), SEEN_EVERY_MS);
  const thief = new Thief(tools.db, scan, tools.source);
  try {
    await allHands(tools.shardsAtOnce, signal, (stop) => workOn(scan, tools, thief, stop));
    await scanSeen(tools.db, scan);
  } finally {
    clearInterval(seen);
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
async function workOn(scan: number, tools: ScanTools, thief: Thief, signal: AbortSignal): Promise<void> {
  let idle = 0;
  while (!signal.aborted) {
    const wanted = { kind: SHARD, work: scan, holder: tools.worker, ttlMs: tools.ttlMs };
    const held = await patiently(() => claimLease(tools.db, wanted), signal);
    if (held) await runOrPutBack(held, tools, signal);
    else if (await patiently(() => hasEnded(scan, tools), signal)) return;
    else if (!(await thief.steal(signal))) await tools.news.wait(Math.min(100, 10 * 2 ** idle++), signal);
    if (held) idle = 0;
  }
}

async function runOrPutBack(held: Held, tools: ScanTools, signal: AbortSignal): Promise<void> {
  try {
    await runShard(held, tools, signal);
  } catch (error) {
    await patiently(() => putBack(held, tools, messageOf(error)), signal);
    if (held.attempts >= MOST_ATTEMPTS || tools.pool.fault) throw error;
  }
}

async function putBack(held: Held, tools: ScanTools, reason: string): Promise<void> {
  if (held.attempts < MOST_ATTEMPTS)
    return void (await retryLeaseLater(tools.db, held, reason, backoff(held.attempts)));
  await tools.db.tx(async (tx) => {
    if ((await failLease(tx, held, reason)) === 0) await lastShardEnded(tools.jobs, tx, held.work);
  });
}

/** A database that restarts is waited for. */
function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return retrying(work, { forMs: DATABASE_PATIENCE_MS, signal });
}

async function hasEnded(scan: number, tools: ScanTools): Promise<boolean> {
  return ENDED.includes((await readScan(tools.db, scan))!.status);
}
