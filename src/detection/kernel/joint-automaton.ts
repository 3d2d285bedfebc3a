/** All patterns in one automaton: a run tells whose patterns stand at a place, as far as it looks. */
import { byteClasses, type State, StateBuilder } from '../pattern/automaton.ts';
import type { Node } from '../pattern/parse.ts';

/** So many bytes are looked at: what a longer pattern says of the rest its verifier looks at. */
export const LOOK_AHEAD = 20;

export interface Wanted {
  readonly who: number;
  readonly pattern: Node;
}

export interface JointAutomaton {
  readonly states: readonly State[];
  /** By state, whose pattern it belongs to. */
  readonly owners: readonly number[];
  /** By start, where its patterns begin. */
  readonly starts: readonly (readonly number[])[];
  readonly classOf: Uint8Array;
  readonly classes: number;
  /** By class: one of its bytes. */
  readonly sample: readonly number[];
}

export function jointAutomaton(wanted: readonly (readonly Wanted[])[]): JointAutomaton {
  const builder = new StateBuilder(Number.POSITIVE_INFINITY, () => {
    throw new RangeError('never full');
  });
  const owners: number[] = [];
  const begin = ({ who, pattern }: Wanted): number => {
    const start = builder.build(clipped(pattern), builder.end());
    while (owners.length < builder.states.length) owners.push(who);
    return start;
  };
  const starts = wanted.map((patterns) => patterns.map(begin));
  return { states: builder.states, owners, starts, ...byteClasses(builder.states) };
}

/** Counts beyond what is looked at need not be written out. */
function clipped(node: Node): Node {
  switch (node.kind) {
    case 'sequence':
      return { kind: 'sequence', items: node.items.map(clipped) };
    case 'choice':
      return { kind: 'choice', options: node.options.map(clipped) };
    case 'repeat': {
      const most = LOOK_AHEAD + 1;
      const max = node.max === Number.POSITIVE_INFINITY ? node.max : Math.min(node.max, most);
      return { kind: 'repeat', item: clipped(node.item), min: Math.min(node.min, most), max };
    }
    default:
      return node;
  }
}
