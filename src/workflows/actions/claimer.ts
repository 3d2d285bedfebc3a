/**
 * Chooses what a process claims next. Actions without limits, limited actions and suspects have separate claim statements, used in turn, so that a
 * backlog of one class never starves the others. An error of one class is reported, and the others are still claimed.
 */
import type { Database } from '../../db/database.ts';
import { requeueWithLimitKey } from './action-store.ts';
import { type ActionClaimRequest, type ClaimedAction, claimActions, recoverActions } from './claim-store.ts';
import { checkedLimitKey } from './limits/limit-key.ts';
import { LimitScan } from './limits/limit-scan.ts';
import {
  claimSuspect,
  deleteFullBuckets,
  findSuspects,
  type LimitedAction,
  type LimitSettings,
} from './limits/limited-store.ts';
import type { ActionPolicy } from './policy.ts';

export interface RegisteredAction {
  readonly workflow: string;
  readonly name: string;
  /** The version of the workflow's code here (1). */
  readonly schema?: number;
  readonly rules: Pick<ActionPolicy, 'limits'>;
}

export interface ActionClaimerOptions {
  readonly holder: string;
  readonly leaseMs: number;
  readonly pollMs: number;
  failed(error: unknown): void;
}

export interface ClaimBatch {
  readonly claimed: ClaimedAction[];
  readonly more: boolean;
  readonly nextMs: number;
}

const MIN_PAUSE_MS = 5;
const FORGET_EVERY_MS = 600_000;
const NO_LIMITS: LimitSettings = { concurrency: null, burst: null, perSecond: null };

export class ActionClaimer {
  readonly #db: Database;
  readonly #known: readonly RegisteredAction[];
  readonly #wanted: ActionClaimRequest;
  readonly #pollMs: number;
  readonly #failed: (error: unknown) => void;
  readonly #limited: LimitScan;
  /** Actions written without limits by an earlier version of a definition that now has them. */
  readonly #leftover: LimitScan;
  #limitedFirst = false;
  #lastScanAt = Number.NEGATIVE_INFINITY;
  #recovered = Number.NEGATIVE_INFINITY;
  #suspected = Number.NEGATIVE_INFINITY;
  #forgot = performance.now();

  constructor(
    db: Database,
    known: readonly RegisteredAction[],
    { holder, leaseMs, pollMs, failed }: ActionClaimerOptions,
  ) {
    this.#failed = failed;
    this.#db = db;
    this.#known = known;
    this.#wanted = { known, holder, ttlMs: leaseMs };
    this.#pollMs = pollMs;
    const names = (limited: boolean) =>
      known.filter(({ rules }) => (rules.limits !== null) === limited).map(nameOf);
    this.#limited = new LimitScan(db, names(true), this.#wanted);
    this.#leftover = new LimitScan(db, names(false), this.#wanted);
  }

  /** Periodically requeues actions of crashed processes; `running` are those of this one. */
  async recover(running: readonly number[], room: number): Promise<void> {
    if (performance.now() - this.#recovered < this.#pollMs / 2) return;
    this.#recovered = performance.now();
    const workflows = this.#known.map(({ workflow }) => workflow);
    await recoverActions(this.#db, workflows, running, room);
    if (performance.now() - this.#forgot < FORGET_EVERY_MS) return;
    this.#forgot = performance.now();
    await deleteFullBuckets(this.#db);
  }

  /** Claims at most `room`. `nextMs`: the delay after which another claim may find more without a notification. */
  async claim(room: number): Promise<ClaimBatch> {
    const claimed = this.#limited.isEmpty ? [] : await this.#claimBoth(room);
    if (this.#limited.isEmpty) claimed.push(...(await this.#orNone(this.#claimFree(room))));
    claimed.push(...(await this.#claimLeftover(room - claimed.length)));
    const nextMs = Math.max(
      MIN_PAUSE_MS,
      Math.min(this.#limited.nextAt, this.#leftover.nextAt) - performance.now(),
    );
    return { claimed, more: claimed.length === room, nextMs };
  }

  async #claimBoth(room: number): Promise<ClaimedAction[]> {
    this.#limitedFirst = !this.#limitedFirst;
    const claims = [
      (max: number) => this.#orNone(this.#limited.claim(max)),
      (max: number) => this.#orNone(this.#claimFree(max)),
    ];
    if (!this.#limitedFirst) claims.reverse();
    const share = Math.ceil(room / 2);
    const first = await claims[0]!(share);
    const second = first.length < room ? await claims[1]!(room - first.length) : [];
    const left = room - first.length - second.length;
    const third = first.length === share && left > 0 ? await claims[0]!(left) : [];
    return [...first, ...second, ...third];
  }

  /** Scanned only at half the poll interval, as such rows are rare. */
  async #claimLeftover(room: number): Promise<ClaimedAction[]> {
    const isDue =
      performance.now() - this.#lastScanAt >= this.#pollMs / 2 || performance.now() >= this.#leftover.nextAt;
    if (room <= 0 || !isDue) return [];
    this.#lastScanAt = performance.now();
    return this.#orNone(this.#leftover.claim(room));
  }

  async #claimFree(max: number): Promise<ClaimedAction[]> {
    return this.#limitedByNow(await claimActions(this.#db, this.#wanted, max));
  }

  /** Releases actions that were written before their action had a limit, with their limit key; returns the others. */
  async #limitedByNow(claimed: ClaimedAction[]): Promise<ClaimedAction[]> {
    const unlimited = claimed.flatMap((action) => {
      const { limits } = this.#rulesOf(action);
      const limitKey = limits && action.limitKey === null ? limitKeyOrNull(limits.keyOf, action.input) : null;
      return limitKey === null ? [] : [{ ...action, limitKey }];
    });
    if (unlimited.length === 0) return claimed;
    await requeueWithLimitKey(this.#db, unlimited).catch(this.#failed); // their leases expire
    const given = new Set(unlimited.map(({ id }) => id));
    return claimed.filter(({ id }) => !given.has(id));
  }

  /** Claims an action to be run while nothing else runs in this process. */
  async claimSuspect(): Promise<ClaimedAction | null> {
    if (performance.now() - this.#suspected < this.#pollMs / 2) return null;
    const [found] = await this.#orNone(this.#findSuspect());
    if (!found) this.#suspected = performance.now();
    return found ? ((await this.#limitedByNow([found]))[0] ?? null) : null;
  }

  async #findSuspect(): Promise<ClaimedAction[]> {
    return this.#db.tx(async (tx) => {
      const suspects = await findSuspects(tx, this.#known.map(nameOf));
      if (suspects.length === 0) return [];
      const limited = suspects.map((one) => ({ ...one, ...limitsOf(this.#rulesOf(one)) }));
      return claimSuspect(tx, limited, this.#wanted);
    });
  }

  async #orNone(claim: Promise<ClaimedAction[]>): Promise<ClaimedAction[]> {
    try {
      return await claim;
    } catch (error) {
      this.#failed(error);
      return [];
    }
  }

  #rulesOf(action: { readonly workflow: string; readonly name: string }): Pick<ActionPolicy, 'limits'> {
    const isSame = ({ workflow, name }: RegisteredAction) =>
      workflow === action.workflow && name === action.name;
    return this.#known.find(isSame)!.rules;
  }
}

function nameOf({ workflow, name, schema = 1, rules }: RegisteredAction): LimitedAction {
  return { workflow, name, schema, ...limitsOf(rules) };
}

function limitsOf({ limits }: Pick<ActionPolicy, 'limits'>): LimitSettings {
  if (!limits) return NO_LIMITS;
  const { concurrency, burst, perSecond } = limits;
  return { concurrency, burst, perSecond };
}

/** Null: it can't be computed, and the action fails with the error. */
function limitKeyOrNull(...of: Parameters<typeof checkedLimitKey>): string | null {
  try {
    return checkedLimitKey(...of);
  } catch {
    return null;
  }
}
