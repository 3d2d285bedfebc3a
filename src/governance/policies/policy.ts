/**
 * A policy is a combination of findings in one object that requires action: health data beside a name, a
 * card number, a password. It refers to types of findings, never to values, so it can be evaluated from an
 * object's counts.
 */
export interface Policy {
  readonly id: string;
  readonly title: string;
  readonly when: Condition;
  /** It does not match if only findings of these contribute. */
  readonly excludeIfOnly: readonly string[];
}

/** Minimums of a condition. */
interface Minimums {
  /** Total number of findings of all its types in the object. */
  readonly minCount?: number;
  /** A type counts if its highest confidence is at least this; also applies to nested conditions. */
  readonly minConfidence?: number;
}

/** `one`: a selector of types, see `selectorOf`: SSN, category:credential, regulation:hipaa, pack:pci. */
export type Condition = Minimums &
  (
    | { readonly one: string }
    | { readonly anyOf: readonly Condition[] }
    | { readonly allOf: readonly Condition[] }
  );

/** All names that a policy refers to. */
export function namesIn({ when, excludeIfOnly }: Pick<Policy, 'when' | 'excludeIfOnly'>): string[] {
  return [...namesOf(when), ...excludeIfOnly];
}

function namesOf(condition: Condition): string[] {
  if ('one' in condition) return [condition.one];
  return ('anyOf' in condition ? condition.anyOf : condition.allOf).flatMap(namesOf);
}
