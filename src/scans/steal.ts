/**
 * Stealing: whoever has nothing to do takes a part of what another holder has left. The holder is not asked and does
 * not wait; it finds its shard shorter at its next checkpoint. Where to cut is decided in planning/stealing.ts; what was seen is
 * left behind with the parts, so that nobody looks at a place twice. In a folder its own structure tells where to cut.
 */
import { type KeyStorage, PLAIN_KEYS } from '../base/sealed-key.ts';
import type { Database } from '../db/database.ts';
import { endLook } from '../engine/leases/split-store.ts';
import type { Source } from '../sources/source.ts';
import { joined, storableHint } from './planning/hint.ts';
import { type ClaimedVictim, claimVictim, readScene, type Scene, writeHint } from './planning/hint-store.ts';
import { look } from './planning/looking.ts';
import { splitShard } from './planning/split-shard.ts';
import {
  backOffMs,
  leastKeys,
  leastSeconds,
  MOST_PASSED_OVER,
  pauseMs,
  stealSteps,
  type Theft,
  waysFor,
} from './planning/stealing.ts';

/** A first look finds little: the first worker has hardly begun. */
const FIRST_PAUSE_MS = 250;
/** A thief that dies while it looks keeps others away no longer than this. */
const LOOK_MS = 10_000;

interface ThiefOptions {
  readonly firstPauseMs?: number;
  /** How the scan's keys are stored. */
  readonly storage?: KeyStorage;
}

type Attempt = 'split' | 'passed over' | 'nothing';

export class Thief {
  readonly #db: Database;
  readonly #scan: number;
  readonly #source: Source;
  readonly #storage: KeyStorage;
  #failures = 0;
  #idle = 1;
  #notBefore: number;

  constructor(
    db: Database,
    scan: number,
    source: Source,
    { firstPauseMs = FIRST_PAUSE_MS, storage = PLAIN_KEYS }: ThiefOptions = {},
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
    const taken = await this.#lookAround(signal).catch(() => false);
    this.#failures = taken ? 0 : this.#failures + 1;
    this.#notBefore =
      performance.now() + (taken ? 0 : pauseMs(this.#failures, this.#idle) * (0.5 + Math.random()));
    return taken;
  }

  async #lookAround(signal: AbortSignal): Promise<boolean> {
    const scene = await readScene(this.#db, this.#scan);
    this.#idle = scene.idle;
    if (scene.waiting) return false;
    const terms = { leastSeconds: leastSeconds(scene.elapsedSeconds), lookMs: LOOK_MS };
    for (let pickiness = MOST_PASSED_OVER; pickiness >= 0; pickiness--) {
      const victim = await claimVictim(this.#db, this.#scan, terms);
      if (victim === null) return false;
      const attempt = await this.#rob(opened(victim, this.#storage), scene, pickiness > 0, signal);
      if (attempt !== 'passed over') return attempt === 'split';
    }
    return false;
  }

  async #rob(victim: ClaimedVictim, scene: Scene, picky: boolean, signal: AbortSignal): Promise<Attempt> {
    const { id, reserved, range } = victim;
    if (range.upTo !== null && reserved >= range.upTo) {
      await endLook(this.#db, id, backOffMs(victim.failures + 1)); // not seen while its keys were sealed
      return 'passed over';
    }
    const theft = this.#source.page
      ? await this.#decide(victim, scene, picky, signal)
      : await this.#decideInFolders(victim, signal);
    const taken = await splitShard(this.#db, this.#scan, victim.id, theft, 1, this.#storage);
    const attempt = taken > 0 ? 'split' : theft.passedOver ? 'passed over' : 'nothing';
    const failures = attempt === 'nothing' ? victim.failures + 1 : 0;
    if (attempt !== 'split' && theft.hints.length > 0) {
      const hint = storableHint(joined(theft.hints), this.#storage);
      await this.#db.tx((tx) => writeHint(tx, victim.id, hint, failures));
    }
    await endLook(this.#db, victim.id, attempt === 'nothing' ? backOffMs(failures) : 0);
    return attempt;
  }

  async #decide(victim: ClaimedVictim, scene: Scene, picky: boolean, signal: AbortSignal): Promise<Theft> {
    const terms = {
      ways: waysFor(scene.idle, scene.running),
      least: leastKeys(scene.elapsedSeconds, victim.secondsPerKey),
      picky,
    };
    return (await look(this.#source, stealSteps(victim, terms), signal)).result;
  }

  async #decideInFolders({ reserved, range }: ClaimedVictim, signal: AbortSignal): Promise<Theft> {
    const mid = await this.#source.midpoint?.({ after: reserved, upTo: range.upTo }, signal);
    return { cuts: mid ? [mid] : [], hints: [], passedOver: false };
  }
}

function opened(victim: ClaimedVictim, storage: KeyStorage): ClaimedVictim {
  const { after, upTo } = victim.range;
  return {
    ...victim,
    range: { after: storage.open(after), upTo: upTo === null ? null : storage.open(upTo) },
    cursor: storage.open(victim.cursor),
    reserved: storage.open(victim.reserved),
  };
}
