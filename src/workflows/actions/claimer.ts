/**
 * What a process claims next. Actions without limits, those with a limit and suspects are claimed by statements of their own, in turn, so that
 * a backlog of one sort never keeps the others waiting. An error of one sort is reported, and the others are claimed nevertheless.
 */
import type { Database } from '../../db/database.ts';
import { limitActions } from './action-store.ts';
import { type Claimed, claimActions, recoverActions, type WantedActions } from './claim-store.ts';
import { checkedLimitKey } from './limit-key.ts';
import {
  claimLimitedActions,
  claimSuspect,
  findSuspects,
  forgetFullBuckets,
  type Limits,
  lockLimits,
} from './limited-store.ts';
import type { Rules } from './policy.ts';

export interface KnownAction {
  readonly workflow: string;
  readonly name: string;
  /** The version of the workflow's code here (1). */
  readonly schema?: number;
  readonly rules: Pick<Rules, 'limits'>;
}

export interface ClaimerOptions {
  readonly holder: string;
  readonly leaseMs: number;
  readonly pollMs: number;
  failed(error: unknown): void;
}

/** Limit keys that one claim looks through, of all actions together: what it costs with any number of saturated ones. */
const KEYS_AT_ONCE = 200;
const FORGET_EVERY_MS = 600_000;
const NO_LIMITS: Limits = { concurrency: null, burst: null, perSecond: null };

export class Claimer {
  readonly #db: Database;
  readonly #known: readonly KnownAction[];
  readonly #wanted: WantedActions;
  readonly #pollMs: number;
  readonly #failed: (error: unknown) => void;
  readonly #hasLimits: boolean;
  /** How far the limit keys of each action were looked through. */
  #after: string[];
  #limitedFirst = false;
  #looked = Number.NEGATIVE_INFINITY;
  #recovered = Number.NEGATIVE_INFINITY;
  #suspected = Number.NEGATIVE_INFINITY;
  #forgot = performance.now();

  constructor(
    db: Database,
    known: readonly KnownAction[],
    { holder, leaseMs, pollMs, failed }: ClaimerOptions,
  ) {
    this.#failed = failed;
    this.#db = db;
    this.#known = known;
    this.#wanted = { known, holder, ttlMs: leaseMs };
    this.#pollMs = pollMs;
    this.#hasLimits = known.some(({ rules }) => rules.limits !== null);
    this.#after = known.map(() => '');
  }

  /** Lets actions of dead processes wait again, now and then; `running` are those of this one. */
  async recover(running: readonly number[], room: number): Promise<void> {
    if (performance.now() - this.#recovered < this.#pollMs / 2) return;
    this.#recovered = performance.now();
    const workflows = this.#known.map(({ workflow }) => workflow);
    await recoverActions(this.#db, workflows, running, room);
    if (performance.now() - this.#forgot < FORGET_EVERY_MS) return;
    this.#forgot = performance.now();
    await forgetFullBuckets(this.#db);
  }

  /** No more than there is room for. */
  async claim(room: number): Promise<{ readonly claimed: Claimed[]; readonly more: boolean }> {
    if (!this.#hasLimits) return this.#claimMostlyFree(room);
    this.#limitedFirst = !this.#limitedFirst;
    const sorts = [
      (most: number) => this.#orNone(this.#claimLimited(most)),
      (most: number) => this.#orNone(this.#claimFree(most)),
    ];
    if (!this.#limitedFirst) sorts.reverse();
    const share = Math.ceil(room / 2);
    const first = await sorts[0]!(share);
    const second = first.length < room ? await sorts[1]!(room - first.length) : [];
    const left = room - first.length - second.length;
    const third = first.length === share && left > 0 ? await sorts[0]!(left) : [];
    const claimed = [...first, ...second, ...third];
    return { claimed, more: claimed.length === room || this.#after.some((key) => key !== '') };
  }

  /** Limited ones may be left by a version that limited them: they are looked for when there is nothing better to do. */
  async #claimMostlyFree(room: number) {
    const claimed = await this.#orNone(claimActions(this.#db, this.#wanted, room));
    const full = claimed.length === room;
    if (full || performance.now() - this.#looked < this.#pollMs / 2) return { claimed, more: full };
    this.#looked = performance.now();
    const limited = await this.#orNone(this.#claimLimited(room - claimed.length));
    return { claimed: [...claimed, ...limited], more: claimed.length + limited.length === room };
  }

  async #claimFree(most: number): Promise<Claimed[]> {
    return this.#limited(await claimActions(this.#db, this.#wanted, most));
  }

  /** Those that were written before their action had a limit are given back, to be claimed by it; the others. */
  async #limited(claimed: Claimed[]): Promise<Claimed[]> {
    const unlimited = claimed.flatMap((action) => {
      const { limits } = this.#rulesOf(action);
      const limitKey = limits && action.limitKey === null ? keyOrNone(limits.keyOf, action.input) : null;
      return limitKey === null ? [] : [{ ...action, limitKey }];
    });
    if (unlimited.length === 0) return claimed;
    await limitActions(this.#db, unlimited).catch(this.#failed); // their holds expire
    const given = new Set(unlimited.map(({ id }) => id));
    return claimed.filter(({ id }) => !given.has(id));
  }

  #claimLimited(most: number): Promise<Claimed[]> {
    const names = this.#known.map(({ workflow, name, schema = 1, rules }) => ({
      workflow,
      name,
      schema,
      ...limitsOf(rules),
    }));
    const ofEach = Math.max(1, Math.floor(KEYS_AT_ONCE / names.length));
    return this.#db.tx(async (tx) => {
      const { upTo, limits } = await lockLimits(tx, names, this.#after, ofEach);
      this.#after = upTo.map((key) => key ?? '');
      return limits.length === 0 ? [] : claimLimitedActions(tx, limits, this.#wanted, most);
    });
  }

  /** An action to be run while nothing else runs in this process. */
  async claimSuspect(): Promise<Claimed | null> {
    if (performance.now() - this.#suspected < this.#pollMs / 2) return null;
    const [found] = await this.#orNone(this.#findSuspect());
    if (!found) this.#suspected = performance.now();
    return found ? ((await this.#limited([found]))[0] ?? null) : null;
  }

  async #findSuspect(): Promise<Claimed[]> {
    return this.#db.tx(async (tx) => {
      const suspects = await findSuspects(tx, this.#wanted);
      if (suspects.length === 0) return [];
      const limited = suspects.map((one) => ({ ...one, ...limitsOf(this.#rulesOf(one)) }));
      return claimSuspect(tx, limited, this.#wanted);
    });
  }

  async #orNone(claim: Promise<Claimed[]>): Promise<Claimed[]> {
    try {
      return await claim;
    } catch (error) {
      this.#failed(error);
      return [];
    }
  }

  #rulesOf(action: { readonly workflow: string; readonly name: string }): Pick<Rules, 'limits'> {
    const isSame = ({ workflow, name }: KnownAction) => workflow === action.workflow && name === action.name;
    return this.#known.find(isSame)!.rules;
  }
}

function limitsOf({ limits }: Pick<Rules, 'limits'>): Limits {
  if (!limits) return NO_LIMITS;
  const { concurrency, burst, perSecond } = limits;
  return { concurrency, burst, perSecond };
}

/** Null: it can't be computed, and the action fails for it. */
function keyOrNone(...of: Parameters<typeof checkedLimitKey>): string | null {
  try {
    return checkedLimitKey(...of);
  } catch {
    return null;
  }
}
