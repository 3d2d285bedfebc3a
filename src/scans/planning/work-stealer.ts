/**
 * Work stealing: an idle worker takes a part of what another holder has left. The holder is not asked and
 * does not wait; it gets the shorter range at its next checkpoint. Where to split is decided in
 * steal-decision.ts; the samples are stored with the parts, so that no range is probed twice. A local
 * folder is split by its own structure.
 */
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Database } from '../../db/database.ts';
import { releaseSplitLock } from '../../engine/leases/split-store.ts';
import type { Source } from '../../sources/source.ts';
import { runProbes } from './probing.ts';
import { mergeHints, storableHint } from './split-hint.ts';
import {
  type ClaimedStealTarget,
  type ClusterLoad,
  claimStealTarget,
  readClusterLoad,
  writeSplitHint,
} from './split-hint-store.ts';
import { splitShard } from './split-shard.ts';
import {
  MAX_SKIPPED_TARGETS,
  minSplitKeys,
  minSplitSeconds,
  type SplitDecision,
  splitCountFor,
  stealPauseMs,
  stealProbes,
  targetBackoffMs,
} from './steal-decision.ts';

/** An early attempt finds little: the first worker has hardly started. */
const FIRST_PAUSE_MS = 250;
/** Bounds how long a crashed stealer blocks others from its target. */
const SPLIT_LOCK_MS = 10_000;

interface WorkStealerOptions {
  readonly firstPauseMs?: number;
  /** The storage form of the scan's keys. */
  readonly storage?: KeyCodec;
}

type SplitAttempt = 'split' | 'skipped' | 'nothing';

export class WorkStealer {
  readonly #db: Database;
  readonly #scan: number;
  readonly #source: Source;
  readonly #storage: KeyCodec;
  #failures = 0;
  #idle = 1;
  #notBefore: number;

  constructor(
    db: Database,
    scan: number,
    source: Source,
    { firstPauseMs = FIRST_PAUSE_MS, storage = PLAIN_KEYS }: WorkStealerOptions = {},
  ) {
    this.#storage = storage;
    this.#db = db;
    this.#scan = scan;
    this.#source = source;
    this.#notBefore = performance.now() + firstPauseMs;
  }

  /**
   * Splits one shard, whose other parts become claimable. Returns false if nothing is worth splitting now.
   */
  async steal(signal: AbortSignal): Promise<boolean> {
    if (performance.now() < this.#notBefore) return false;
    this.#notBefore = Number.POSITIVE_INFINITY; // one attempt at a time
    // Errors are ignored: the shard still belongs to its holder, and there is just nothing to steal.
    const taken = await this.#splitLargest(signal).catch(() => false);
    this.#failures = taken ? 0 : this.#failures + 1;
    this.#notBefore =
      performance.now() + (taken ? 0 : stealPauseMs(this.#failures, this.#idle) * (0.5 + Math.random()));
    return taken;
  }

  async #splitLargest(signal: AbortSignal): Promise<boolean> {
    const load = await readClusterLoad(this.#db, this.#scan);
    this.#idle = load.idle;
    if (load.waiting) return false;
    const options = { minSeconds: minSplitSeconds(load.elapsedSeconds), splitLockMs: SPLIT_LOCK_MS };
    for (let skipsLeft = MAX_SKIPPED_TARGETS; skipsLeft >= 0; skipsLeft--) {
      const target = await claimStealTarget(this.#db, this.#scan, options);
      if (target === null) return false;
      const attempt = await this.#attemptSplit(opened(target, this.#storage), load, skipsLeft > 0, signal);
      if (attempt !== 'skipped') return attempt === 'split';
    }
    return false;
  }

  async #attemptSplit(
    target: ClaimedStealTarget,
    load: ClusterLoad,
    selective: boolean,
    signal: AbortSignal,
  ): Promise<SplitAttempt> {
    const { id, reserved, range } = target;
    if (range.upTo !== null && reserved >= range.upTo) {
      await releaseSplitLock(this.#db, id, targetBackoffMs(target.failures + 1)); // not visible while its keys were sealed
      return 'skipped';
    }
    const decision = this.#source.page
      ? await this.#decideByProbing(target, load, selective, signal)
      : await this.#decideByFolders(target, signal);
    const taken = await splitShard(this.#db, this.#scan, target.id, decision, 1, this.#storage);
    const attempt = taken > 0 ? 'split' : decision.skippedTarget ? 'skipped' : 'nothing';
    const failures = attempt === 'nothing' ? target.failures + 1 : 0;
    if (attempt !== 'split' && decision.hints.length > 0) {
      const hint = storableHint(mergeHints(decision.hints), this.#storage);
      await this.#db.tx((tx) => writeSplitHint(tx, target.id, hint, failures));
    }
    await releaseSplitLock(this.#db, target.id, attempt === 'nothing' ? targetBackoffMs(failures) : 0);
    return attempt;
  }

  async #decideByProbing(
    target: ClaimedStealTarget,
    load: ClusterLoad,
    selective: boolean,
    signal: AbortSignal,
  ): Promise<SplitDecision> {
    const options = {
      splitCount: splitCountFor(load.idle, load.running),
      minKeys: minSplitKeys(load.elapsedSeconds, target.secondsPerKey),
      selective,
    };
    return (await runProbes(this.#source, stealProbes(target, options), signal)).result;
  }

  async #decideByFolders(
    { reserved, range }: ClaimedStealTarget,
    signal: AbortSignal,
  ): Promise<SplitDecision> {
    const mid = await this.#source.midpoint?.({ after: reserved, upTo: range.upTo }, signal);
    return { splitPoints: mid ? [mid] : [], hints: [], skippedTarget: false };
  }
}

function opened(target: ClaimedStealTarget, storage: KeyCodec): ClaimedStealTarget {
  const { after, upTo } = target.range;
  return {
    ...target,
    range: { after: storage.open(after), upTo: upTo === null ? null : storage.open(upTo) },
    cursor: storage.open(target.cursor),
    reserved: storage.open(target.reserved),
  };
}
