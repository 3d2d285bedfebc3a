/** What the actors of a run share. */
import { Choices } from '../random.ts';
import type { RelayWorld } from './relay.ts';
import type { Scenario } from './scenario.ts';
import type { World } from './world.ts';

/** By the database's clock; so long that no timer of a real process gets a turn. */
export const TTL_MS = 3_600_000;
export const PARK_AFTER = 3;
export const TENANT = 'default';

export interface Stage extends RelayWorld {
  readonly seed: number;
  readonly world: World;
  readonly choices: Choices;
  readonly scenario: Scenario;
  readonly counts: Record<string, number>;
  /** Commands that their senders know to have had their effect. */
  readonly accepted: string[];
  /** Which version of the workflow's code a process has; 1 for all in most runs. */
  versionOf(name: string): number;
  /** Whether there are several. */
  readonly isMixed: boolean;
  /** Counts events, to check that runs cover enough of them. */
  note(what: string): void;
}

export function setStage(world: World, seed: number, choices: Choices, scenario: Scenario): Stage {
  const counts: Record<string, number> = {};
  const note = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  // Drawn apart, so that runs of one version stay what they were.
  const isMixed = new Choices(seed, 'versions').chance(0.4);
  const versionOf = (name: string) => (isMixed ? new Choices(seed, `version of ${name}`).of([1, 1, 2]) : 1);
  const shared = { seed, world, choices, scenario, counts, isMixed, versionOf, note };
  return { ...shared, accepted: [], broken: [], failures: new Map() };
}
