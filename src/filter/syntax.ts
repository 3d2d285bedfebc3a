/** The syntax tree of a filter, each node with its span in the text, for errors. */
import type { TextSpan } from './syntax-error.ts';
import type { COMPARATORS } from './tokens.ts';

export type Comparator = (typeof COMPARATORS)[number] | 'contains';
export type NamedNode = TextSpan & { readonly name: string };
export type Field = NamedNode & { readonly kind: 'field' };
export type Call = NamedNode & { readonly kind: 'call'; readonly argument: NamedNode | null };

export type Value = TextSpan &
  (
    | { readonly kind: 'string'; readonly text: string }
    | { readonly kind: 'word'; readonly text: string }
    | { readonly kind: 'number'; readonly value: number; readonly unit: string }
  );

/** A chain of `and` or `or` is one node, so a long filter does not make a deep tree. */
export type Chain = TextSpan & { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[] };
export type Comparison = TextSpan & {
  readonly kind: 'compare';
  readonly left: Field | Call;
  readonly comparator: Comparator;
  readonly sign: TextSpan;
  readonly right: Value;
};
export type Expression =
  | Chain
  | Comparison
  | Call
  | (TextSpan & { readonly kind: 'not'; readonly part: Expression });
