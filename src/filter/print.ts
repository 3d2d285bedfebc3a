import type { Call, Expression, Field, Value } from './syntax.ts';

/** Needs no quotes as an argument; with a leading digit it would be a number. */
const WORD = /^[A-Za-z_]\w*$/;

/** The filter in normal form: parsing it again returns the same tree. */
export function printFilter(expression: Expression): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.parts.map((part) => printPart(part, expression.kind)).join(` ${expression.kind} `);
    case 'not':
      return `not ${isChain(expression.part) ? inParentheses(expression.part) : printFilter(expression.part)}`;
    case 'compare':
      return `${printOperand(expression.left)} ${expression.comparator} ${printValue(expression.right)}`;
    case 'call':
      return printOperand(expression);
  }
}

/** `and` binds tighter than `or`: inside an `or` it needs no parentheses. */
function printPart(part: Expression, chain: 'and' | 'or'): string {
  const loose = part.kind === 'or' || part.kind === chain;
  return loose ? inParentheses(part) : printFilter(part);
}

function isChain(expression: Expression): boolean {
  return expression.kind === 'and' || expression.kind === 'or';
}

function inParentheses(expression: Expression): string {
  return `(${printFilter(expression)})`;
}

function printOperand(operand: Field | Call): string {
  if (operand.kind === 'field') return operand.name;
  const { argument } = operand;
  if (argument === null) return `${operand.name}()`;
  return `${operand.name}(${WORD.test(argument.name) ? argument.name : quote(argument.name)})`;
}

function printValue(value: Value): string {
  if (value.kind === 'string') return quote(value.text);
  return value.kind === 'word' ? value.text : `${value.value}${value.unit}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
