import type { Sort } from '../packs/packs.ts';
import type { Condition } from './policy.ts';
import { selectorOf } from './select.ts';

/** What a condition asks for, a line each, indented as it is nested. */
export function describeCondition(condition: Condition, detectors: readonly Sort[], indent = ''): string[] {
  const least = leastOf(condition);
  if ('one' in condition) return [`${indent}${condition.one}${meaning(condition.one, detectors)}${least}`];
  const [title, parts] = 'allOf' in condition ? ['all of', condition.allOf] : ['any of', condition.anyOf];
  return [
    `${indent}${title}${least}:`,
    ...parts.flatMap((part) => describeCondition(part, detectors, `${indent}  `)),
  ];
}

/** On one line. */
export function conditionLine(condition: Condition): string {
  if ('one' in condition) return `${condition.one}${leastOf(condition)}`;
  const [word, parts] = 'allOf' in condition ? [' and ', condition.allOf] : [' or ', condition.anyOf];
  const inside = parts.map(conditionLine).join(word);
  return `${parts.length > 1 ? `(${inside})` : inside}${leastOf(condition)}`;
}

function leastOf({ minCount, minConfidence }: Condition): string {
  const count = minCount === undefined ? [] : [`at least ${minCount}`];
  const sure = minConfidence === undefined ? [] : [`as sure as ${minConfidence}`];
  const both = [...count, ...sure];
  return both.length === 0 ? '' : ` (${both.join(', ')})`;
}

const MOST_NAMES = 8;

/** For what stands for several: which, as far as they fit. */
function meaning(name: string, detectors: readonly Sort[]): string {
  if (!name.includes(':')) return '';
  const ids = detectors.filter(selectorOf(name)).map(({ id }) => id);
  const more = ids.length > MOST_NAMES ? ` and ${ids.length - MOST_NAMES} more` : '';
  return ` = ${ids.slice(0, MOST_NAMES).join(', ')}${more}`;
}
