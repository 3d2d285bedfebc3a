/**
 * Stealing: whoever has nothing to do takes a part of what another holder has left. The holder is not asked and does
 * not wait; it finds its shard shorter at its next checkpoint. Where to cut is decided in planning/steal-decision.ts; what was seen is
 * left behind with the parts, so that nobody looks at a place twice. In a folder its own structure tells where to cut.
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

/** A first look finds little: the first worker has hardly begun. */
const FIRST_PAUSE_MS = 250;
/** A thief that dies while it looks keeps others away no longer than this. */
const SPLIT_LOCK_MS = 10_000;

interface WorkStealerOptions {
  readonly firstPauseMs?: number;
  /** How the scan's keys are stored. */
  readonly storage?: KeyCodec;
}

type SplitAttempt = 'split' | 'passed over' | 'nothing';

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

  /** Splits one shard, whose other parts then wait to be claimed. False: nothing is worth splitting now. */
  async steal(signal: AbortSignal): Promise<boolean> {
    if (performance.now() < this.#notBefore) return false;
    this.#notBefore = Number.POSITIVE_INFINITY; // one look at a time
    // Whatever goes wrong here, the shard is still its holder's: then there is just nothing to take.
    const taken = await this.#splitLargest(signal).catch(() => false);
    this.#failures = taken ? 0 : this.#failures + 1;
    this.#notBefore =
      performance.now() + (taken ? 0 : stealPauseMs(this.#failures, this.#idle) * (0.5 + Math.random()));
    return taken;
  }

  async #splitLargest(signal: AbortSignal): Promise<boolean> {
    const scene = await readClusterLoad(this.#db, this.#scan);
    this.#idle = scene.idle;
    if (scene.waiting) return false;
    const terms = { leastSeconds: minSplitSeconds(scene.elapsedSeconds), lookMs: SPLIT_LOCK_MS };
    for (let pickiness = MAX_SKIPPED_TARGETS; pickiness >= 0; pickiness--) {
      const victim = await claimStealTarget(this.#db, this.#scan, terms);
      if (victim === null) return false;
      const attempt = await this.#attemptSplit(opened(victim, this.#storage), scene, pickiness > 0, signal);
      if (attempt !== 'passed over') return attempt === 'split';
    }
    return false;
  }

  async #attemptSplit(
    victim: ClaimedStealTarget,
    scene: ClusterLoad,
    picky: boolean,
    signal: AbortSignal,
  ): Promise<SplitAttempt> {
    const { id, reserved, range } = victim;
    if (range.upTo !== null && reserved >= range.upTo) {
      await releaseSplitLock(this.#db, id, targetBackoffMs(victim.failures + 1)); // not seen while its keys were sealed
      return 'passed over';
    }
    const theft = this.#source.page
      ? await this.#decideByProbing(victim, scene, picky, signal)
      : await this.#decideByFolders(victim, signal);
    const taken = await splitShard(this.#db, this.#scan, victim.id, theft, 1, this.#storage);
    const attempt = taken > 0 ? 'split' : theft.skippedTarget ? 'passed over' : 'nothing';
    const failures = attempt === 'nothing' ? victim.failures + 1 : 0;
    if (attempt !== 'split' && theft.hints.length > 0) {
      const hint = storableHint(mergeHints(theft.hints), this.#storage);
      await this.#db.tx((tx) => writeSplitHint(tx, victim.id, hint, failures));
    }
    await releaseSplitLock(this.#db, victim.id, attempt === 'nothing' ? targetBackoffMs(failures) : 0);
    return attempt;
  }

  async #decideByProbing(
    victim: ClaimedStealTarget,
    scene: ClusterLoad,
    picky: boolean,
    signal: AbortSignal,
  ): Promise<SplitDecision> {
    const terms = {
      ways: splitCountFor(scene.idle, scene.running),
      least: minSplitKeys(scene.elapsedSeconds, victim.secondsPerKey),
      picky,
    };
    return (await runProbes(this.#source, stealProbes(victim, terms), signal)).result;
  }

  async #decideByFolders(
    { reserved, range }: ClaimedStealTarget,
    signal: AbortSignal,
  ): Promise<SplitDecision> {
    const mid = await this.#source.midpoint?.({ after: reserved, upTo: range.upTo }, signal);
    return { cuts: mid ? [mid] : [], hints: [], skippedTarget: false };
  }
}

function opened(victim: ClaimedStealTarget, storage: KeyCodec): ClaimedStealTarget {
  const { after, upTo } = victim.range;
  return {
    ...victim,
    range: { after: storage.open(after), upTo: upTo === null ? null : storage.open(upTo) },
    cursor: storage.open(victim.cursor),
    reserved: storage.open(victim.reserved),
  };
}
