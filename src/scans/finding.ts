import type { Key } from '../base/key.ts';
import type { Tier } from '../governance/tier.ts';

/** A masked fact about an object: what was found, where, how sure, why. Never the value itself. */
export interface Finding {
  readonly scan: string;
  readonly source: string;
  readonly key: Key;
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
  /** The object's tier. */
  readonly tier: Tier;
  readonly masked: string;
  readonly fingerprint: string;
  readonly reasons: readonly string[];
}
