/** What happens in a run, drawn from its seed. Not everything in every run: few things at a time go deeper than all at once. */
import { SeineError } from '../../src/base/errors.ts';
import type { Key } from '../../src/base/key.ts';
import type { Range } from '../../src/base/range.ts';
import { type Bucket, fill, isFaulty, type Nature, ranges } from './bucket.ts';
import type { Choices } from './random.ts';

export const INJECTED_FAULTS = [
  'crash before',
  'crash after',
  'statement lost',
  'answer lost',
  'pause beyond the lease',
  'listing refused',
  'reading refused',
  'job delivered twice',
  'asked to stop',
  'taken for dead',
  'server restarted',
] as const;
export type InjectedFault = (typeof INJECTED_FAULTS)[number];
/** What the fence and the step are for. */
const FREQUENT_FAULTS: readonly InjectedFault[] = [
  'pause beyond the lease',
  'pause beyond the lease',
  'answer lost',
];

export type OperatorAction = 'pause and resume' | 'cancel' | 'retry' | 'retry as it ends' | 'lead';

/** An action that waits for something to happen. */
const NOT_YET = Number.MAX_SAFE_INTEGER;

export interface ScanPlan extends Bucket {
  readonly ranges: readonly Range[];
  readonly tenant: string;
  readonly priority: number;
  readonly hooks: number;
  /** Its listing fails here each time, until an operator repairs it. */
  readonly wall: Key | null;
}

export interface Scenario {
  readonly scans: readonly ScanPlan[];
  /** Shards held at once, of all scans together. */
  readonly cap: number | null;
  readonly workers: number;
  /** Objects between two checkpoints. */
  readonly step: number;
  readonly faults: readonly InjectedFault[];
  /** How many of them at most. */
  readonly maxFaults: number;
  readonly chance: number;
  /** Not before this many turns, so that faults also hit the end of a scan. */
  readonly faultFreeTurns: number;
  /** How likely a receiver of hooks does not answer. */
  readonly refusals: number;
  /** Probability that the same actor continues: short turns interleave more, long ones make progress. */
  readonly repeatProbability: number;
  /** Done when so many turns have passed, in this order. */
  readonly operatorActions: readonly {
    readonly action: OperatorAction;
    readonly scan: number;
    readonly turn: number;
  }[];
}

export function drawScenario(choices: Choices, seed: number): Scenario {
  const count = choices.chance(0.2) ? 2 : 1;
  const scans = Array.from({ length: count }, (_, i) => drawScan(choices, `memory:${seed}/${i}`));
  return {
    scans,
    cap: choices.chance(0.15) ? choices.between(1, 2) : null,
    workers: choices.of([2, 2, 3, 3, 4]),
    step: choices.between(1, 3),
    faults: choices.some([...INJECTED_FAULTS, ...FREQUENT_FAULTS], 0.6),
    maxFaults: choices.between(0, 12),
    chance: choices.of([0.02, 0.05, 0.15]),
    faultFreeTurns: choices.of([0, 0, 60, 150]),
    refusals: choices.of([0, 0, 0.5]),
    repeatProbability: choices.of([0, 0.5, 0.85]),
    operatorActions: drawOperatorActions(choices, scans),
  };
}

function drawScan(choices: Choices, id: string): ScanPlan {
  const special: Nature[] = [
    ...Array<Nature>(choices.chance(0.1) ? 1 : 0).fill('huge'),
    ...Array<Nature>(choices.chance(0.35) ? choices.between(1, 3) : 0).fill('sick'),
    ...Array<Nature>(choices.chance(0.12) ? 1 : 0).fill('poison'),
  ];
  const bucket = fill(choices, id, special, new SeineError('permission', 'not for you'));
  return {
    ...bucket,
    ranges: ranges(choices, bucket.keys),
    tenant: choices.of(['default', 'other']),
    priority: choices.below(2),
    hooks: choices.of([0, 0, 1, 2]),
    wall: choices.chance(0.06) ? choices.of(bucket.keys) : null,
  };
}

function drawOperatorActions(choices: Choices, scans: readonly ScanPlan[]): Scenario['operatorActions'] {
  const ill = scans.some((scan) => scan.wall !== null || [...scan.born.values()].some(isFaulty));
  const deadly = scans.some((scan) => [...scan.born.values()].includes('poison'));
  const actions: OperatorAction[] = [
    ...choices.some<OperatorAction>(['pause and resume', 'pause and resume'], deadly ? 0.6 : 0.2),
    ...(choices.chance(0.25) ? (['lead', 'lead'] as const) : []),
    ...choices.some<OperatorAction>(['cancel'], 0.15),
    ...choices.some<OperatorAction>(['retry', 'retry as it ends'], ill ? 0.5 : 0.05),
  ];
  return actions
    .map((action) => ({
      action,
      scan: choices.below(scans.length),
      turn: action === 'retry as it ends' ? NOT_YET : choices.below(choices.of([40, 160, 400])),
    }))
    .sort((a, b) => a.turn - b.turn);
}
