/** What of a source is looked at; what is not said is not limited. */
export interface ScopeOptions {
  /** Only what matches one of these. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Whether .seineignore files count; they do unless this is false. */
  readonly ignoreFile?: boolean;
  /** Bytes; larger files are listed, but not to be read. */
  readonly maxSize?: number;
  /** Milliseconds since 1970; what was last changed before is left out. */
  readonly modifiedSince?: number;
  /** Percent of the objects, chosen by their keys. */
  readonly sample?: number;
}
