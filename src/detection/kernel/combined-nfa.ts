/** All patterns in one NFA: a run yields the detectors whose patterns match at a position, up to MAX_DEPTH bytes. */
import { byteClasses, NfaBuilder, type NfaState } from '../pattern/nfa.ts';
import type { Node } from '../pattern/parse.ts';

/** Bytes read per run. The verifier checks the rest of a longer pattern. */
export const MAX_DEPTH = 20;

export interface OwnedPattern {
  readonly owner: number;
  readonly pattern: Node;
}

export interface CombinedNfa {
  readonly states: readonly NfaState[];
  /** By state: the detector that its pattern belongs to. */
  readonly owners: readonly number[];
  /** By start condition: the initial states of its patterns. */
  readonly starts: readonly (readonly number[])[];
  readonly classOf: Uint8Array;
  readonly classes: number;
  /** By class: one of its bytes. */
  readonly sample: readonly number[];
}

export function combineNfas(wanted: readonly (readonly OwnedPattern[])[]): CombinedNfa {
  const builder = new NfaBuilder(Number.POSITIVE_INFINITY, () => {
    throw new RangeError('never full');
  });
  const owners: number[] = [];
  const begin = ({ owner, pattern }: OwnedPattern): number => {
    const start = builder.build(clipped(pattern), builder.end());
    while (owners.length < builder.states.length) owners.push(owner);
    return start;
  };
  const starts = wanted.map((patterns) => patterns.map(begin));
  return { states: builder.states, owners, starts, ...byteClasses(builder.states) };
}

/** Limits counted repetitions to MAX_DEPTH; further copies would never be reached. */
function clipped(node: Node): Node {
  switch (node.kind) {
    case 'sequence':
      return { kind: 'sequence', items: node.items.map(clipped) };
    case 'choice':
      return { kind: 'choice', options: node.options.map(clipped) };
    case 'repeat': {
      const maxCount = MAX_DEPTH + 1;
      const max = node.max === Number.POSITIVE_INFINITY ? node.max : Math.min(node.max, maxCount);
      return { kind: 'repeat', item: clipped(node.item), min: Math.min(node.min, maxCount), max };
    }
    default:
      return node;
  }
}
