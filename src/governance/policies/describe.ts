import type { DetectorInfo } from '../packs/packs.ts';
import type { Condition } from './policy.ts';
import { selectorOf } from './select.ts';

/** Describes a condition, one line per part, indented by nesting. */
export function describeCondition(
  condition: Condition,
  detectors: readonly DetectorInfo[],
  indent = '',
): string[] {
  const least = formatMinimums(condition);
  if ('one' in condition)
    return [`${indent}${condition.one}${formatSelected(condition.one, detectors)}${least}`];
  const [title, parts] = 'allOf' in condition ? ['all of', condition.allOf] : ['any of', condition.anyOf];
  return [
    `${indent}${title}${least}:`,
    ...parts.flatMap((part) => describeCondition(part, detectors, `${indent}  `)),
  ];
}

/** On one line. */
export function formatCondition(condition: Condition): string {
  if ('one' in condition) return `${condition.one}${formatMinimums(condition)}`;
  const [word, parts] = 'allOf' in condition ? [' and ', condition.allOf] : [' or ', condition.anyOf];
  const inside = parts.map(formatCondition).join(word);
  return `${parts.length > 1 ? `(${inside})` : inside}${formatMinimums(condition)}`;
}

function formatMinimums({ minCount, minConfidence }: Condition): string {
  const count = minCount === undefined ? [] : [`at least ${minCount}`];
  const sure = minConfidence === undefined ? [] : [`as sure as ${minConfidence}`];
  const both = [...count, ...sure];
  return both.length === 0 ? '' : ` (${both.join(', ')})`;
}

const MAX_NAMES = 8;

/** For a name that selects several detectors: lists them, up to a maximum length. */
function formatSelected(name: string, detectors: readonly DetectorInfo[]): string {
  if (!name.includes(':')) return '';
  const ids = detectors.filter(selectorOf(name)).map(({ id }) => id);
  const more = ids.length > MAX_NAMES ? ` and ${ids.length - MAX_NAMES} more` : '';
  return ` = ${ids.slice(0, MAX_NAMES).join(', ')}${more}`;
}
