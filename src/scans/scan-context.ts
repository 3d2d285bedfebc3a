/**
 * What a process keeps at hand for each scan it works on: the opened source, its way through the detection threads, its gate.
 * Made with the first shard of the scan, or the first look at what can be stolen of it; dropped when something about it is broken or
 * the scan is stopped.
 */
import { SeineError } from '../base/errors.ts';
import { keyOf } from '../base/key.ts';
import { retrying } from '../base/retry.ts';
import type { Database } from '../db/database.ts';
import type { Access } from '../sources/access.ts';
import { CredentialRefused } from '../sources/credential-refused.ts';
import type { Source } from '../sources/source.ts';
import type { ObjectInspectors } from './detect/lane.ts';
import type { DetectionPool } from './detect/pool.ts';
import { requireKey } from './fingerprint-key.ts';
import { stateToOpen } from './initial-state.ts';
import { InventoryHash } from './inventory.ts';
import { type OpenedGate, openBehindGate } from './late-gate.ts';
import { NameMasker, type Names } from './names/name-masker.ts';
import { type Experience, noExperience } from './pace.ts';
import { readScan, type ScanRow } from './scan-store.ts';
import { DATABASE_PATIENCE_MS } from './shard-progress.ts';
import { inventoryKey } from './start.ts';
import { Thief } from './steal.ts';
import { type SuppressionChange, suppressionChange } from './suppressions/stale-rows.ts';
import { acceptedBy } from './suppressions/suppression-store.ts';

export interface ContextTools {
  readonly db: Database;
  readonly pool: DetectionPool;
  readonly secret: Uint8Array;
  /** Tries of an object that can't be read for now, after the first. */
  readonly maxRetries: number;
  /** How this process reaches a target. */
  readonly settingsFor: (target: string) => Access['settings'];
  /** `spent` is called once, when the scan's budget is used up. */
  readonly openGate: (
    scan: ScanRow,
    quota: string | undefined,
    spent: (why: string) => void,
  ) => Promise<OpenedGate>;
  readonly onSpent: (scan: number, why: string) => Promise<void>;
  /** Told when a source is closed: how many files and folders ignore files have left out. */
  readonly onIgnored: (count: number) => void;
}

export interface ScanContext {
  readonly scan: ScanRow;
  /** Of the scan's rules, by the versions of this process: another than the scan's if another version started it. */
  readonly inventoryKey: string;
  readonly source: Source;
  readonly lane: ObjectInspectors;
  readonly hash: InventoryHash;
  readonly names: Names;
  /** Of the suppressions, since the scan's base. */
  readonly change: SuppressionChange | null;
  readonly thief: Thief;
  readonly experience: Experience;
  readonly budgeted: boolean;
  /** Aborted when the scan is to be left alone by this process. */
  readonly stopped: AbortSignal;
}

export interface Contexts {
  /** Set when nothing can be done for any scan. */
  readonly fault: Error | null;
  of(scan: number): Promise<ScanContext>;
  /** Shards of it that still run are given back. */
  drop(scan: number): Promise<void>;
  /** Drops those that were not used since the last sweep and are not busy: their scans have ended, or rest. */
  sweep(isBusy: (scan: number) => boolean): Promise<void>;
  close(): Promise<void>;
}

export class ScanContexts implements Contexts {
  readonly #tools: ContextTools;
  readonly #open = new Map<number, Promise<{ context: ScanContext; close: () => Promise<void> }>>();

  readonly #used = new Set<number>();

  constructor(tools: ContextTools) {
    this.#tools = tools;
  }

  get fault(): Error | null {
    return this.#tools.pool.fault;
  }

  async of(scan: number): Promise<ScanContext> {
    this.#used.add(scan);
    let opening = this.#open.get(scan);
    if (!opening) {
      opening = this.#make(scan);
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

  async sweep(isBusy: (scan: number) => boolean): Promise<void> {
    const idle = [...this.#open.keys()].filter((scan) => !this.#used.has(scan) && !isBusy(scan));
    this.#used.clear();
    await Promise.all(idle.map((scan) => this.drop(scan)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((scan) => this.drop(scan)));
  }

  async #make(id: number) {
    const { db, pool, secret, maxRetries } = this.#tools;
    await requireKey(db, id);
    const scan = (await readScan(db, id))!;
    const accepted = await acceptedBy(db, id);
    const change = await suppressionChange(db, scan);
    const stop = new AbortController();
    const names = new NameMasker(secret, scan.ruleSet);
    const settings = this.#tools.settingsFor(scan.source);
    const { source, opened } = await openBehindGate(scan, names, settings, (quota) =>
      this.#tools.openGate(scan, quota, (why) => void this.#spent(id, why)),
    );
    source.warm?.().catch(() => {}); // told by the first request
    const lane = pool.lane({
      scan: id,
      gate: opened.gate,
      maxRetries,
      signal: stop.signal,
      answers: () => answers(source, stop.signal),
      setup: {
        target: scan.source,
        rules: scan.ruleSet,
        secret,
        keepEach: scan.keepEach,
        accepted,
        ...(settings && { settings }),
        ...stateToOpen(scan.initialState, names),
      },
    });
    const context: ScanContext = {
      scan,
      inventoryKey: inventoryKey(scan.ruleSet, scan.keepEach),
      source,
      lane,
      hash: new InventoryHash(secret),
      names,
      change,
      thief: new Thief(db, id, source, { storage: names }),
      experience: noExperience(),
      budgeted: opened.budgeted,
      stopped: stop.signal,
    };
    const close = async () => {
      stop.abort();
      lane.close();
      this.#tools.onIgnored(source.ignored?.() ?? 0);
      await opened.close().catch(() => {}); // not given back, it stays counted as used
    };
    return { context, close };
  }

  /** Nobody waits for it, so it must not throw. A scan that could not be paused meets the end of its budget with its next shard. */
  async #spent(scan: number, why: string): Promise<void> {
    await retrying(() => this.#tools.onSpent(scan, why), { forMs: DATABASE_PATIENCE_MS }).catch(() => {});
    await this.drop(scan);
  }
}

/** One small question that every source can answer, whatever it holds. */
async function answers(source: Source, signal: AbortSignal): Promise<boolean> {
  return source.find(keyOf('is anybody there?'), signal).then(
    () => true,
    (error: unknown) => !(error instanceof CredentialRefused || (error instanceof SeineError && error.retry)),
  );
}
