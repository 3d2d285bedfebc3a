/** What happens in a run, drawn from its seed. Not everything in every run: few things at a time go deeper than all at once. */
import type { PartitionSpec } from '../../../src/workflows/partitions/partitioning.ts';
import type { Choices } from '../random.ts';
import { ALWAYS, type Plan } from './relay.ts';

export const INJECTED_FAULTS = [
  'crash before',
  'crash after',
  'statement lost',
  'answer lost',
  'pause beyond the lease',
  'server restarted',
  'taken for dead',
] as const;
export type InjectedFault = (typeof INJECTED_FAULTS)[number];
/** What the fences and the versions are for. */
const FREQUENT_FAULTS: readonly InjectedFault[] = [
  'pause beyond the lease',
  'pause beyond the lease',
  'answer lost',
  'crash after',
];

export const OPERATOR_ACTIONS = ['rescale', 'pause', 'cancel', 'retry', 'join', 'leave'] as const;
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

/** A caller that sends commands one after the other. */
export interface Caller {
  readonly turn: number;
  /** Its transaction starts before it decides, so that others can commit in between. */
  readonly late: boolean;
  readonly commands: readonly { readonly id: string; readonly plans: readonly Plan[] }[];
}

export interface Scenario {
  readonly partitioning: PartitionSpec;
  readonly runners: number;
  readonly ids: readonly string[];
  readonly callers: readonly Caller[];
  readonly operatorActions: readonly { readonly action: OperatorAction; readonly turn: number }[];
  readonly faults: readonly InjectedFault[];
  readonly maxFaults: number;
  readonly chance: number;
  readonly repeatProbability: number;
  /** Events in one round. */
  readonly eventsAtOnce: number;
}

/** Of different partitions, of two as of three. */
const IDS = ['w0', 'w5', 'w1', 'w3'];
const THEMES = ['dull', 'mixed', 'mixed', 'ill', 'ending'] as const;
type Theme = (typeof THEMES)[number];

export function drawScenario(choices: Choices): Scenario {
  const ids = IDS.slice(0, choices.between(1, IDS.length));
  const theme = choices.of(THEMES);
  return {
    partitioning: drawPartitioning(choices),
    runners: choices.of([1, 2, 2, 3]),
    ids,
    callers: Array.from({ length: choices.between(1, 4) }, () => drawCaller(choices, ids, theme)),
    operatorActions: drawOperatorActions(choices),
    faults: choices.some([...INJECTED_FAULTS, ...FREQUENT_FAULTS], 0.6),
    maxFaults: choices.between(0, 8),
    chance: choices.of([0.03, 0.08, 0.2]),
    repeatProbability: choices.of([0, 0.5, 0.85]),
    eventsAtOnce: choices.of([1, 1, 2, 100]),
  };
}

export function drawPartitioning(choices: Choices): PartitionSpec {
  return choices.of<PartitionSpec>(['slots', 'slots', 1, 2, 3]);
}

function drawCaller(choices: Choices, ids: readonly string[], theme: Theme): Caller {
  return {
    turn: choices.below(choices.of([1, 40, 120])),
    late: choices.chance(0.4),
    commands: Array.from({ length: choices.between(1, 3) }, () => ({
      id: choices.of(ids),
      plans: Array.from({ length: choices.of([1, 1, 2, 3]) }, () => drawPlan(choices, ids, theme)),
    })),
  };
}

function drawPlan(choices: Choices, ids: readonly string[], theme: Theme): Plan {
  if (theme === 'dull') return {};
  const [ill, ending] = [theme === 'ill', theme === 'ending'];
  return {
    ...(choices.chance(0.3) && { tells: choices.of(ids) }),
    ...(choices.chance(ending ? 0.5 : 0.15) && { waits: choices.between(1, 5000) }),
    ...(choices.chance(ill ? 0.5 : 0.1) && { poison: choices.of([1, 1, 2, 4, ALWAYS]) }),
    ...(choices.chance(ill ? 0.08 : 0.01) && { deadly: true }),
    ...(choices.chance(0.15) && { fails: choices.of([1, 2, ALWAYS]) }),
    ...(choices.chance(0.15) && { saves: choices.between(1, 2) }),
    ...(choices.chance(ending ? 0.15 : 0.03) && { ends: true }),
    ...(choices.chance(ending ? 0.2 : 0.05) && { cancels: true }),
  };
}

function drawOperatorActions(choices: Choices): Scenario['operatorActions'] {
  const actions: OperatorAction[] = [
    ...choices.some<OperatorAction>(['rescale', 'rescale', 'rescale'], 0.35),
    ...choices.some<OperatorAction>(['pause', 'pause'], 0.25),
    ...choices.some<OperatorAction>(['join', 'leave', 'leave'], 0.25),
    ...choices.some<OperatorAction>(['cancel'], 0.05),
    ...choices.some<OperatorAction>(['retry'], 0.2),
  ];
  return actions
    .map((action) => ({ action, turn: choices.below(choices.of([25, 60, 150, 300])) }))
    .sort((a, b) => a.turn - b.turn);
}
