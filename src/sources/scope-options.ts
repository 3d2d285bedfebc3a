/** Limits what is scanned of a source; by default nothing is excluded. */
export interface ScopeOptions {
  /** Only keys that match one of these. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Whether .seineignore files are used; true by default. */
  readonly ignoreFile?: boolean;
  /** Bytes; larger files are listed as unreadable. */
  readonly maxSize?: number;
  /** Milliseconds since 1970; objects last modified before are excluded. */
  readonly modifiedSince?: number;
  /** Percent of the objects, selected by their keys. */
  readonly sample?: number;
}
