/** The interface of a benchmark, and the context it runs in. */
import type { Ripgrep } from './machine.ts';

export interface Benchmark {
  readonly name: string;
  /** One line: what is measured. */
  readonly about: string;
  /** How often a comparison is repeated by default. */
  readonly runs?: number;
  run(bench: Bench): Promise<void>;
}

export interface Bench {
  /** Holds everything this run creates. */
  readonly folder: string;
  /** Where the files to scan are made; elsewhere than the database, if need be. */
  readonly trees: string;
  /** Of the full sizes; 1 is what the figures are quoted for. */
  readonly scale: number;
  readonly seed: number;
  /** How many seeds a simulation runs, from `seed` on. */
  readonly seeds: number;
  /** The number of corrupted files to read. */
  readonly cases: number;
  /** How often a comparison is repeated; the median is shown. */
  readonly runs: number;
  readonly ripgrep: Ripgrep | null;
  /** Run optional slow parts, too. */
  readonly extras: boolean;
  /** Run a reduced version. */
  readonly quick: boolean;
  /** The folder of labelled data, if one was named. */
  readonly corpora: string | null;
  /** All folders that were named. */
  readonly folders: readonly string[];
  /** How many findings to print for a review instead of the figures. */
  readonly review: number;
  /** A file of reviewed findings to merge. */
  readonly judged: string | null;
  /** The commit of the earlier version that this one is run beside; null: the previous one. */
  readonly ref: string | null;
  /** Parts of a benchmark to run; default: all. */
  readonly only: readonly string[];
  log(line?: string): void;
  /** Something that must hold, not a time: if it does not, the run ends with exit code 1. */
  check(holds: boolean, what: string): void;
  /** Created on first use and shared by the benchmarks of a run. */
  shared<T>(name: string, make: () => Promise<T>): Promise<T>;
}

/** A number of files or bytes at this run's scale. */
export function scaled(bench: Bench, full: number, min = 1): number {
  return Math.max(min, Math.round(full * bench.scale));
}
