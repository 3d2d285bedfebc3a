/** Whoever finds the places where verifiers should look. The kernel does it quickly, `plainFinder` obviously. */
import type { Naming } from './naming.ts';

export interface AnchorFinder {
  /** The only bytes it can look at, where it has such. */
  readonly window: Buffer | null;
  /** Notes anchors of [from, to) and a few beside; returns where it stopped: `to`, or earlier when the records are full. */
  find(bytes: Buffer, from: number, to: number, naming: Naming): number;
  readonly count: number;
  /** Where and which filter, in turn, `count` times; places are those of `bytes` plus `base`. */
  readonly records: Int32Array;
  readonly base: number;
  /** How many line ends there are in [from, to), and where the last one is: -1 if there is none. */
  lines(bytes: Buffer, from: number, to: number): number;
  readonly lastLineEnd: number;
}
