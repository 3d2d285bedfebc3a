/** The tree of a filter, each node with its place in the text, for errors to point at. */
import type { Place } from './mistake.ts';
import type { COMPARATORS } from './tokens.ts';

export type Comparator = (typeof COMPARATORS)[number] | 'contains';
export type Named = Place & { readonly name: string };
export type Field = Named & { readonly kind: 'field' };
export type Call = Named & { readonly kind: 'call'; readonly argument: Named | null };

export type Value = Place &
  (
    | { readonly kind: 'string'; readonly text: string }
    | { readonly kind: 'word'; readonly text: string }
    | { readonly kind: 'number'; readonly value: number; readonly unit: string }
  );

/** A chain of `and` or `or` is one node, so a long filter is not a deep one. */
export type Chain = Place & { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[] };
export type Comparison = Place & {
  readonly kind: 'compare';
  readonly left: Field | Call;
  readonly comparator: Comparator;
  readonly sign: Place;
  readonly right: Value;
};
export type Expression =
  | Chain
  | Comparison
  | Call
  | (Place & { readonly kind: 'not'; readonly part: Expression });
