import type { Tier } from '../governance/tier.ts';

/**
 * The input of a filter: an object, or one of its findings with the object's fields. For an object alone
 * the finding's fields are missing. Null and absent are equivalent.
 */
export interface FilterRecord extends PathFields {
  readonly size: number;
  readonly modified: Date | null;
  readonly score: number | null;
  readonly tier: Tier | null;
  readonly outcome: string;
  /** The object's findings by detector, also when the record is one finding. */
  readonly counts: Readonly<Record<string, number>>;

  readonly detector?: string;
  readonly category?: string;
  readonly confidence?: number;
  readonly line?: number;
  readonly column?: number;
  readonly field?: string | null;
  readonly part?: string | null;
  readonly masked?: string;
  readonly fingerprint?: string;
}

interface PathFields {
  readonly path: string;
  /** Without the trailing slash; '' at the root. */
  readonly folder: string;
  /** In lower case, without the dot; '' when there is none. */
  readonly extension: string;
}

/** `.env` has no extension, as is usual; `a.tar.gz` has `gz`. */
export function pathFields(path: string): PathFields {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const dot = name.lastIndexOf('.');
  return {
    path,
    folder: path.slice(0, Math.max(0, slash)),
    extension: dot > 0 ? name.slice(dot + 1).toLowerCase() : '',
  };
}
