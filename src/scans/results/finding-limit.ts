/**
 * Which findings of an object are kept; counts are always exact. For each type the first `maxFindingsPerType` are
 * kept: a table of a million addresses is one fact. A file with many matches of every detector would still
 * have hundreds of thousands of rows, so once an object has as many findings as `MAX_FULL_TYPES` types may
 * have, only the first few of each type are kept.
 */
export const MAX_FULL_TYPES = 20;
export const FINDINGS_PER_TYPE_WHEN_FULL = 20;

export class FindingLimit {
  readonly #each: number;
  #kept: number;

  /** `kept`: the number of findings of the object kept before. */
  constructor(maxFindingsPerType: number, kept = 0) {
    this.#each = maxFindingsPerType;
    this.#kept = kept;
  }

  /** Whether the next finding is kept; `nth`: its number within its type, from 1. */
  admit(nth: number): boolean {
    const isKept =
      nth <= this.#each && (this.#kept < MAX_FULL_TYPES * this.#each || nth <= FINDINGS_PER_TYPE_WHEN_FULL);
    if (isKept) this.#kept++;
    return isKept;
  }
}
