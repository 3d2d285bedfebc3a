import type { Key } from '../../base/key.ts';
import type { Tier } from '../../governance/tier.ts';
import type { FoundValue } from './inspection.ts';

/** A masked fact about an object: what was found, where, how sure, why. Never the value itself. */
export interface Finding extends FoundValue {
  readonly scan: string;
  /** What commands call it by: see finding-id.ts. */
  readonly handle: string;
  readonly source: string;
  readonly key: Key;
  /** The object's tier. */
  readonly tier: Tier;
}
