/** The documents of the benchmark, and the competitors that can read them. */
import type { Bench } from '../benchmark.ts';

export interface DocumentSet {
  /** Its name for --only. */
  readonly format: string;
  readonly about: string;
  /** Debian packages without which it can't be made. */
  readonly needs?: readonly string[];
  /** Pictures are read. */
  readonly ocr?: boolean;
  /** Writes the files and returns the number of documents in them; of an archive its members. */
  make(folder: string, bench: Bench): Promise<number>;
  readonly competitors: readonly Competitor[];
}

export interface Competitor {
  readonly name: string;
  /** Why it can't be measured; null: it can. */
  missing(): Promise<string | null>;
  version(): string;
  /** As one would type it. */
  shown(folder: string): string;
  measure(folder: string): Promise<Measured>;
}

export interface Measured {
  readonly seconds: number;
  /** Of all processors and all participating processes. */
  readonly cpuSeconds: number;
  /** The extracted text; null: unknown. */
  readonly textBytes: number | null;
}
