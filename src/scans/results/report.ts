import type { Key } from '../../base/key.ts';
import type { PolicyMatches } from '../../governance/policies/evaluate.ts';
import type { Tier } from '../../governance/tier.ts';

/** What became of an object. */
export type ObjectOutcome = 'scanned' | 'unchanged' | 'partial' | 'skipped' | 'dead';
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
  /** Workers of another version took part: the next scan reads what they read once more. */
  readonly mixedVersions?: boolean;
}

export interface LedgerLine {
  readonly outcome: ObjectOutcome;
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
  /** Those that fired, with the detectors that spoke for them. */
  readonly policies: PolicyMatches;
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
  readonly samples: readonly Sample[];
}

/** A masked value and where it stands. */
export interface Sample {
  readonly masked: string;
  readonly key: Key;
  readonly part: string | null;
  readonly line: number;
}

/** A policy that fired on some objects. */
export interface PolicyHits {
  readonly policy: string;
  readonly title: string;
  readonly objects: number;
  /** What spoke for it: findings by detector in those objects, most first. */
  readonly because: Readonly<Record<string, number>>;
  readonly worst: readonly { readonly key: Key; readonly tier: Tier }[];
}

/** Everything the outputs say about a scan, apart from the findings themselves, which are streamed beside it. */
export interface Report {
  readonly scan: ScanSummary;
  readonly ledger: readonly LedgerLine[];
  readonly tiers: Readonly<Record<Tier, number>>;
  readonly objects: readonly ObjectRisk[];
  readonly folders: readonly FolderRisk[];
  readonly types: readonly TypeRisk[];
  /** The weightiest finding inside the worst archive or document of each kind. */
  readonly insides: readonly (Sample & { readonly detector: string })[];
  /** Those that fired, the one on most objects first. */
  readonly policies: readonly PolicyHits[];
  /** Known and accepted: in none of the above. */
  readonly suppressed: { readonly findings: number; readonly suppressions: number };
  /** Held against one: all of the above but the ledger is about what is new. `known` includes what moved. */
  readonly baseline?: {
    readonly name: string;
    readonly new: number;
    readonly known: number;
    readonly moved: number;
    readonly gone: number;
  };
}
