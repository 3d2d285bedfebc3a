/**
 * What a process caches for each scan it works on: the opened source, its queue to the detection threads,
 * its gate. Created with the first shard of the scan, or the first attempt to steal from it; dropped when
 * something about it fails or the scan is stopped.
 */
import { SeineError } from '../base/errors.ts';
import { keyOf } from '../base/key.ts';
import { withRetry } from '../base/retry.ts';
import type { Database } from '../db/database.ts';
import type { Access } from '../sources/access.ts';
import { AuthenticationError } from '../sources/authentication-error.ts';
import type { Source } from '../sources/source.ts';
import { initialPacerState, type PacerState } from './checkpoint/checkpoint-pacer.ts';
import { ensureOcr } from './detect/extraction-options.ts';
import type { DetectionPool } from './detect/pool.ts';
import type { InspectionQueue } from './detect/scan-queue.ts';
import { decodeInitialState } from './inventory/initial-state.ts';
import { InventoryHash } from './inventory/inventory.ts';
import { readScan, type ScanRow } from './lifecycle/scan-store.ts';
import { inventoryKey } from './lifecycle/start-scan.ts';
import { NameMasker, type Names } from './names/name-masker.ts';
import { WorkStealer } from './planning/work-stealer.ts';
import { requireKey } from './results/fingerprint-key.ts';
import { DATABASE_RETRY_TIMEOUT_MS } from './shard/database-outage.ts';
import { type OpenedGate, openGatedSource } from './shard/deferred-gate.ts';
import { type SuppressionChange, suppressionChange } from './suppressions/stale-rows.ts';
import { acceptedBy } from './suppressions/suppression-store.ts';

export interface ScanContextDeps {
  readonly db: Database;
  readonly pool: DetectionPool;
  readonly secret: Uint8Array;
  /** Number of retries of an object that can't be read for now. */
  readonly maxRetries: number;
  /** The settings for accessing a target. */
  readonly settingsFor: (target: string) => Access['settings'];
  /** `onExhausted` is called once, when the scan's budget is exhausted. */
  readonly openGate: (
    scan: ScanRow,
    quota: string | undefined,
    onExhausted: (why: string) => void,
  ) => Promise<OpenedGate>;
  readonly onBudgetExhausted: (scan: number, why: string) => Promise<void>;
  /** Called when a source is closed, with the number of files and folders excluded by ignore files. */
  readonly onIgnored: (count: number) => void;
}

export interface ScanContext {
  readonly scan: ScanRow;
  /**
   * Identifies the scan's rules and the versions of this process: differs from the scan's if another
   * version started it.
   */
  readonly inventoryKey: string;
  readonly source: Source;
  readonly queue: InspectionQueue;
  readonly hash: InventoryHash;
  readonly names: Names;
  /** Changes of the suppressions since the scan's base. */
  readonly change: SuppressionChange | null;
  readonly stealer: WorkStealer;
  readonly pacerState: PacerState;
  readonly budgeted: boolean;
  /** Aborted when this process must stop working on the scan. */
  readonly stopped: AbortSignal;
}

export interface ScanContextCache {
  /** Set when no scan can be processed. */
  readonly fault: Error | null;
  of(scan: number): Promise<ScanContext>;
  /** Running shards of it are released. */
  drop(scan: number): Promise<void>;
  /**
   * Drops scans that were not used since the last sweep and have no running shards: they have ended or are
   * paused.
   */
  evictIdle(isBusy: (scan: number) => boolean): Promise<void>;
  close(): Promise<void>;
}

export class OpenScanContexts implements ScanContextCache {
  readonly #deps: ScanContextDeps;
  readonly #open = new Map<number, Promise<{ context: ScanContext; close: () => Promise<void> }>>();
  readonly #used = new Set<number>();

  constructor(deps: ScanContextDeps) {
    this.#deps = deps;
  }

  get fault(): Error | null {
    return this.#deps.pool.fault;
  }

  async of(scan: number): Promise<ScanContext> {
    this.#used.add(scan);
    let opening = this.#open.get(scan);
    if (!opening) {
      opening = this.#create(scan);
      this.#open.set(scan, opening);
      opening.catch(() => this.#open.delete(scan));
    }
    return (await opening).context;
  }

  async drop(scan: number): Promise<void> {
    const open = this.#open.get(scan);
    this.#open.delete(scan);
    await open?.then(
      ({ close }) => close(),
      () => {},
    );
  }

  async evictIdle(isBusy: (scan: number) => boolean): Promise<void> {
    const idle = [...this.#open.keys()].filter((scan) => !this.#used.has(scan) && !isBusy(scan));
    this.#used.clear();
    await Promise.all(idle.map((scan) => this.drop(scan)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((scan) => this.drop(scan)));
  }

  async #create(id: number) {
    const { db, pool, secret, maxRetries } = this.#deps;
    await requireKey(db, id);
    const scan = (await readScan(db, id))!;
    await ensureOcr(scan.ruleSet);
    const accepted = await acceptedBy(db, id);
    const change = await suppressionChange(db, scan);
    const stop = new AbortController();
    const names = new NameMasker(secret, scan.ruleSet);
    const settings = this.#deps.settingsFor(scan.source);
    const { source, opened } = await openGatedSource(scan, names, settings, (quota) =>
      this.#deps.openGate(scan, quota, (why) => void this.#pauseExhausted(id, why)),
    );
    source.warm?.().catch(() => {}); // reported by the first request
    const queue = pool.openQueue({
      scan: id,
      gate: opened.gate,
      maxRetries,
      signal: stop.signal,
      isSourceReachable: () => isSourceReachable(source, stop.signal),
      setup: {
        target: scan.source,
        rules: scan.ruleSet,
        secret,
        maxFindingsPerType: scan.maxFindingsPerType,
        accepted,
        ...(settings && { settings }),
        ...decodeInitialState(scan.initialState, names),
      },
    });
    const context: ScanContext = {
      scan,
      inventoryKey: inventoryKey(scan.ruleSet, scan.maxFindingsPerType),
      source,
      queue,
      hash: new InventoryHash(secret),
      names,
      change,
      stealer: new WorkStealer(db, id, source, { storage: names }),
      pacerState: initialPacerState(),
      budgeted: opened.budgeted,
      stopped: stop.signal,
    };
    const close = async () => {
      stop.abort();
      pool.closeQueue(queue);
      this.#deps.onIgnored(source.ignored?.() ?? 0);
      await opened.close().catch(() => {}); // an unreleased reservation stays counted as used
    };
    return { context, close };
  }

  /**
   * Runs in the background, so it must not throw. If the scan could not be paused, its next shard meets the
   * limit again.
   */
  async #pauseExhausted(scan: number, why: string): Promise<void> {
    await withRetry(() => this.#deps.onBudgetExhausted(scan, why), {
      forMs: DATABASE_RETRY_TIMEOUT_MS,
    }).catch(() => {});
    await this.drop(scan);
  }
}

/** Sends one small request that every source can answer. */
async function isSourceReachable(source: Source, signal: AbortSignal): Promise<boolean> {
  return source.find(keyOf('reachability-check'), signal).then(
    () => true,
    (error: unknown) =>
      !(error instanceof AuthenticationError || (error instanceof SeineError && error.retry)),
  );
}
