/** What a benchmark is, and what it is given. */
import type { Ripgrep } from './machine.ts';

export interface Benchmark {
  readonly name: string;
  /** One line: what is measured. */
  readonly about: string;
  /** How often a comparison is repeated, unless told. */
  readonly runs?: number;
  run(bench: Bench): Promise<void>;
}

export interface Bench {
  /** A folder for everything this run makes. */
  readonly folder: string;
  /** Where the files to scan are made; elsewhere than the database, if need be. */
  readonly trees: string;
  /** Of the full sizes; 1 is what the figures are quoted for. */
  readonly scale: number;
  readonly seed: number;
  /** How many seeds a simulation runs, from `seed` on. */
  readonly seeds: number;
  /** How many spoiled files are read. */
  readonly cases: number;
  /** How often a comparison is repeated; the median is shown. */
  readonly runs: number;
  readonly ripgrep: Ripgrep | null;
  /** Also what takes long and is not asked for. */
  readonly extras: boolean;
  /** A first look is enough. */
  readonly quick: boolean;
  /** The folder of labelled data, if one was named. */
  readonly corpora: string | null;
  /** The commit of the earlier version that this one is run beside; null: the previous one. */
  readonly ref: string | null;
  /** Parts of a benchmark to run; all unless told. */
  readonly only: readonly string[];
  log(line?: string): void;
  /** Something that must hold, not a time: if it does not, the run ends with exit code 1. */
  check(holds: boolean, what: string): void;
  /** Made once in a run, by whoever needs it first. */
  shared<T>(name: string, make: () => Promise<T>): Promise<T>;
}

/** A number of files or bytes at this run's scale. */
export function scaled(bench: Bench, full: number, min = 1): number {
  return Math.max(min, Math.round(full * bench.scale));
}
