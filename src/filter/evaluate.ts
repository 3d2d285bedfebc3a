import { checkFilter } from './check.ts';
import { type Condition, holds } from './condition.ts';
import { type FieldName, fieldNamed } from './fields.ts';
import { type Detectors, Names } from './names.ts';
import { parseFilter } from './parse.ts';
import { printFilter } from './print.ts';
import type { FilterRecord } from './record.ts';

export interface Filter {
  /** In its plainest form. */
  readonly text: string;
  readonly fields: ReadonlySet<FieldName>;
  matches(record: FilterRecord): boolean;
}

/**
 * A filter from its text, or a usage error that points at what is wrong. With `detectors`, a name that is none of
 * them is a mistake too.
 */
export function compileFilter(text: string, detectors: Detectors = null): Filter {
  const expression = parseFilter(text);
  const condition = checkFilter(expression, new Names(text, detectors));
  return {
    text: printFilter(expression),
    fields: new Set(fieldsOf(condition)),
    matches: (record) => holds(condition, record),
  };
}

/** Whether the filter tells findings of one object apart; otherwise it can be asked of the object alone. */
export function isAboutFindings(filter: Filter): boolean {
  return [...filter.fields].some((name) => fieldNamed(name)?.level === 'finding');
}

function* fieldsOf(condition: Condition): Iterable<FieldName> {
  if ('parts' in condition) for (const part of condition.parts) yield* fieldsOf(part);
  else if ('part' in condition) yield* fieldsOf(condition.part);
  else if ('field' in condition) yield condition.field;
  else if (condition.kind === 'tier') yield 'tier';
  else if (typeof condition.of === 'string') yield condition.of;
}
