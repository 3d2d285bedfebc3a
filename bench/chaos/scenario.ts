import type { Played, Stage } from './stage.ts';

export interface Scenario {
  readonly name: string;
  readonly about: string;
  play(stage: Stage): Promise<Result>;
}

export interface Result {
  /** What was done, in figures. */
  readonly done: string;
  readonly scans: readonly Played[];
  /** What else must hold here. */
  readonly also?: readonly { readonly holds: boolean; readonly what: string }[];
}

/** It can't be played here: why. */
export class Skipped extends Error {}
