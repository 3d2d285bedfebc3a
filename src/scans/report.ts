import type { Key } from '../base/key.ts';
import type { Tier } from '../governance/tier.ts';

/** What became of an object. */
export type Outcome = 'scanned' | 'unchanged' | 'partial' | 'skipped' | 'dead';
export type ScanStatus =
  | 'planning'
  | 'running'
  | 'interrupted'
  | 'paused'
  | 'finalizing'
  | 'completed'
  | 'incomplete'
  | 'failed'
  | 'cancelled';

export interface ScanSummary {
  readonly id: string;
  readonly source: string;
  readonly status: ScanStatus;
  readonly rules: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** Seconds of work, without the time it lay interrupted. */
  readonly seconds: number;
}

export interface LedgerLine {
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly objects: number;
  readonly bytes: number;
}

export interface ObjectRisk {
  readonly key: Key;
  readonly score: number;
  readonly tier: Tier;
  readonly size: number;
  readonly modified: Date | null;
  /** Findings by detector, exact. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface FolderRisk {
  readonly folder: string;
  readonly objects: number;
  readonly findings: number;
  readonly worst: number;
  readonly tier: Tier;
}

export interface TypeRisk {
  readonly detector: string;
  readonly category: string;
  readonly objects: number;
  readonly findings: number;
  readonly samples: readonly { readonly masked: string; readonly key: Key; readonly line: number }[];
}

/** Everything the outputs say about a scan, apart from the findings themselves, which are streamed beside it. */
export interface Report {
  readonly scan: ScanSummary;
  readonly ledger: readonly LedgerLine[];
  readonly tiers: Readonly<Record<Tier, number>>;
  readonly objects: readonly ObjectRisk[];
  readonly folders: readonly FolderRisk[];
  readonly types: readonly TypeRisk[];
}
