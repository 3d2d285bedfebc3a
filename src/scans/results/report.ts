import type { Key } from '../../base/key.ts';
import type { PolicyMatches } from '../../governance/policies/evaluate.ts';
import type { Tier } from '../../governance/tier.ts';

/** The outcome of an object. */
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
  /** Seconds of work, without the time it was interrupted. */
  readonly seconds: number;
  /** Workers of another version took part: the next scan reads their objects again. */
  readonly mixedVersions?: boolean;
}

export interface LedgerLine {
  readonly outcome: ObjectOutcome;
  /** The sentence when it is read for people; the code where it is written. */
  readonly reason: string | null;
  readonly reasonCode?: string | null;
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
  /** The matching policies, with the detectors that contribute. */
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

/** A masked value and its position. */
export interface Sample {
  readonly masked: string;
  readonly key: Key;
  readonly part: string | null;
  readonly line: number;
}

/** A policy that matched some objects. */
export interface PolicyHits {
  readonly policy: string;
  readonly title: string;
  readonly objects: number;
  /** Contributing findings by detector in those objects, descending. */
  readonly because: Readonly<Record<string, number>>;
  readonly worst: readonly { readonly key: Key; readonly tier: Tier }[];
}

/**
 * Everything the outputs contain about a scan, apart from the findings themselves, which are streamed
 * separately.
 */
export interface Report {
  readonly scan: ScanSummary;
  readonly ledger: readonly LedgerLine[];
  readonly tiers: Readonly<Record<Tier, number>>;
  readonly objects: readonly ObjectRisk[];
  readonly folders: readonly FolderRisk[];
  readonly types: readonly TypeRisk[];
  /** The highest-weighted finding inside the worst archive or document of each kind. */
  readonly insides: readonly (Sample & { readonly detector: string })[];
  /** The matching policies, sorted by number of objects, descending. */
  readonly policies: readonly PolicyHits[];
  /** Suppressed: included in none of the above. */
  readonly suppressed: { readonly findings: number; readonly suppressions: number };
  /**
   * Set if compared with a baseline: then all of the above except the coverage is about new findings.
   * `known` includes moved ones.
   */
  readonly baseline?: {
    readonly name: string;
    readonly new: number;
    readonly known: number;
    readonly moved: number;
    readonly gone: number;
  };
}
