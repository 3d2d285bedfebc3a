/**
 * Semantic analysis: resolves names, checks types, parses values. All errors are found before the first
 * record is evaluated.
 */
import { checkComparison } from './check-comparison.ts';
import type { Condition } from './condition.ts';
import { type NameResolver, usageOf } from './name-resolver.ts';
import type { Call, Expression } from './syntax.ts';

export function checkFilter(expression: Expression, names: NameResolver): Condition {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { kind: expression.kind, parts: expression.parts.map((part) => checkFilter(part, names)) };
    case 'not':
      return { kind: 'not', part: checkFilter(expression.part, names) };
    case 'compare':
      return checkComparison(expression, names);
    case 'call':
      return checkCall(expression, names);
  }
}

/** A call without comparison must be boolean. */
function checkCall(call: Call, names: NameResolver): Condition {
  const name = names.resolveFunction(call);
  if (name === 'count') return names.fail(call, 'count() is a number', 'compare it, such as count(SSN) > 10');
  if (call.argument === null) return names.fail(call, `${name}() needs a name`, `write ${usageOf(name)}`);
  if (name === 'missing') return { kind: 'missing', field: names.resolveField(call.argument).name };
  return { kind: 'number', of: { detector: names.resolveDetector(call.argument) }, order: '>', value: 0 };
}
