/**
 * A policy says which findings together, in one object, are a matter for somebody: health data beside a name, a card number, a
 * password. It asks for kinds of findings, never for values, so it can be answered from an object's counts.
 */
export interface Policy {
  readonly id: string;
  readonly title: string;
  readonly when: Condition;
  /** It does not fire if nothing else than these speaks for it. */
  readonly excludeIfOnly: readonly string[];
}

/** The least that must hold of what it asks for. */
interface Minimums {
  /** Findings in the object, of all kinds that it asks for together. */
  readonly minCount?: number;
  /** A kind counts if the surest of its findings is at least so sure; holds for all that is inside as well. */
  readonly minConfidence?: number;
}

/** `one`: a kind of findings, as `selectorOf` reads it: SSN, category:credential, regulation:hipaa, pack:pci. */
export type Condition = Minimums &
  (
    | { readonly one: string }
    | { readonly anyOf: readonly Condition[] }
    | { readonly allOf: readonly Condition[] }
  );

/** All names that a policy uses. */
export function namesIn({ when, excludeIfOnly }: Pick<Policy, 'when' | 'excludeIfOnly'>): string[] {
  return [...namesOf(when), ...excludeIfOnly];
}

function namesOf(condition: Condition): string[] {
  if ('one' in condition) return [condition.one];
  return ('anyOf' in condition ? condition.anyOf : condition.allOf).flatMap(namesOf);
}
