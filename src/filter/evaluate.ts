import { checkFilter } from './check.ts';
import { type Condition, evaluateCondition } from './condition.ts';
import { type FieldName, findField } from './fields.ts';
import { type KnownDetectors, NameResolver } from './name-resolver.ts';
import { parseFilter } from './parse.ts';
import { printFilter } from './print.ts';
import type { FilterRecord } from './record.ts';

export interface Filter {
  /** In normal form. */
  readonly text: string;
  readonly fields: ReadonlySet<FieldName>;
  matches(record: FilterRecord): boolean;
}

/**
 * Compiles a filter from its text, or throws a usage error that marks the error. With `detectors`, unknown
 * detector names are errors, too.
 */
export function compileFilter(text: string, detectors: KnownDetectors = null): Filter {
  const expression = parseFilter(text);
  const condition = checkFilter(expression, new NameResolver(text, detectors));
  return {
    text: printFilter(expression),
    fields: new Set(fieldsOf(condition)),
    matches: (record) => evaluateCondition(condition, record),
  };
}

/** Whether the filter depends on fields of findings; otherwise it can be evaluated once per object. */
export function usesFindingFields(filter: Filter): boolean {
  return [...filter.fields].some((name) => findField(name)?.level === 'finding');
}

function* fieldsOf(condition: Condition): Iterable<FieldName> {
  if ('parts' in condition) for (const part of condition.parts) yield* fieldsOf(part);
  else if ('part' in condition) yield* fieldsOf(condition.part);
  else if ('field' in condition) yield condition.field;
  else if (condition.kind === 'tier') yield 'tier';
  else if (typeof condition.of === 'string') yield condition.of;
}
