import type { Tier } from '../governance/tier.ts';

/** One value found in an object, masked. */
export interface FoundValue {
  readonly part: string | null;
  readonly detector: string;
  readonly category: string;
  readonly field: string | null;
  /** Byte offsets in the object (in the part's text where it was decompressed or decoded). */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  readonly confidence: number;
  readonly masked: string;
  readonly fingerprint: string;
  readonly reasons: readonly string[];
}

/** What came out of looking at one object. */
export interface Inspection {
  readonly outcome: 'scanned' | 'partial' | 'skipped' | 'dead';
  /** Why it was not fully read; empty for `scanned`. */
  readonly reason: string;
  /** The same content will give the same answer: an unchanged object needn't be looked at again. */
  readonly stable: boolean;
  readonly bytesRead: number;
  readonly score: number | null;
  /** The score without its cap, to tell the worst from the bad. */
  readonly points: number | null;
  readonly tier: Tier | null;
  /** Exact, also where only the first findings of a kind are kept. */
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly FoundValue[];
  /** It could not be read for now: another try may go well. Never written down. */
  readonly transient?: boolean;
  /** Of an object that is dead: what is known about the cause. */
  readonly evidence?: { readonly error?: string; readonly attempts?: number };
}

const NOTHING = { score: null, points: null, tier: null, counts: {}, findings: [] } as const;

/** Read to the end, nothing found. */
export function clean(bytesRead: number): Inspection {
  return { outcome: 'scanned', reason: '', stable: true, bytesRead, ...NOTHING };
}

export function notRead(outcome: 'skipped' | 'dead', reason: string, stable: boolean): Inspection {
  return { outcome, reason, stable, bytesRead: 0, ...NOTHING };
}

/** Nothing to say about it: no finding, fully read. A step of a huge object always tells how it joins its neighbours. */
export function isClean(inspection: Inspection): boolean {
  return inspection.outcome === 'scanned' && inspection.tier === null && !('joint' in inspection);
}
