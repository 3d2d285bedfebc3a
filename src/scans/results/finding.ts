import type { Key } from '../../base/key.ts';
import type { Tier } from '../../governance/tier.ts';
import type { FoundValue } from './inspection.ts';

/** A masked fact about an object: type, position, confidence and its parts. Never the value itself. */
export interface Finding extends FoundValue {
  readonly scan: string;
  /** The handle used in commands: see finding-id.ts. */
  readonly handle: string;
  readonly source: string;
  readonly key: Key;
  /** The object's tier. */
  readonly tier: Tier;
}
