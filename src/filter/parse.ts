/**
 * Parses a filter's text into a tree; names and types are checked in check.ts.
 *
 *     or      := and ('or' and)*
 *     and     := not ('and' not)*
 *     not     := 'not' not | '(' or ')' | operand [comparator value]      a call may stand alone
 *     operand := NAME | NAME '(' [NAME | STRING] ')'
 *     value   := STRING | NUMBER | NUMBER UNIT | NAME
 */

import type { Call, Comparator, Expression, Field, NamedNode, Value } from './syntax.ts';
import { syntaxErrorAt, type TextSpan } from './syntax-error.ts';
import { COMPARATORS, type Token, tokenize } from './tokens.ts';

export function parseFilter(text: string): Expression {
  const parser = new Parser(text);
  const expression = parser.chain('or', 0);
  parser.expectEnd();
  return expression;
}

const RESERVED = ['and', 'or', 'not', 'contains'];
const MAX_DEPTH = 100;

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text);
  }

  chain(kind: 'and' | 'or', depth: number): Expression {
    const part = () => (kind === 'or' ? this.chain('and', depth) : this.#not(depth));
    const first = part();
    const parts = [first];
    while (this.#takeWord(kind)) parts.push(part());
    return parts.length === 1 ? first : { kind, parts, start: first.start, end: parts.at(-1)!.end };
  }

  expectEnd(): void {
    const rest = this.#peek();
    if (rest.kind === 'end') return;
    const hint = rest.text === ')' ? 'no parenthesis is open here' : 'join comparisons with and, or';
    this.#fail(rest, `the filter should end before '${rest.text}'`, hint);
  }

  #not(depth: number): Expression {
    const token = this.#peek();
    if (depth > MAX_DEPTH) this.#fail(token, 'the filter is nested too deep', `${MAX_DEPTH} levels at most`);
    if (this.#takeWord('not')) {
      const part = this.#not(depth + 1);
      return { kind: 'not', part, start: token.start, end: part.end };
    }
    if (!this.#takeSign('(')) return this.#comparison();
    const inside = this.chain('or', depth + 1);
    if (!this.#takeSign(')')) this.#fail(this.#peek(), 'a ) is missing', 'a parenthesis is still open');
    return inside;
  }

  #comparison(): Expression {
    const left = this.#operand();
    const token = this.#peek();
    const comparator = comparatorOf(token);
    if (comparator === undefined) {
      if (left.kind === 'call') return left;
      const hint = `such as ${left.name} = …; the comparisons are ${COMPARATORS.join(' ')} contains`;
      return this.#fail(token, `a comparison is missing after '${left.name}'`, hint);
    }
    this.#next++;
    const right = this.#value(comparator);
    return {
      kind: 'compare',
      left,
      comparator,
      sign: spanOf(token),
      right,
      start: left.start,
      end: right.end,
    };
  }

  #operand(): Field | Call {
    const token = this.#peek();
    if (token.kind !== 'word' || isReserved(token)) {
      const found = token.kind === 'end' ? 'the filter ends here' : `unexpected '${token.text}'`;
      const hint = 'a comparison starts with a field, such as size > 10MB, or is has(TYPE)';
      return this.#fail(token, `a field is missing: ${found}`, hint);
    }
    this.#next++;
    if (!this.#takeSign('(')) return { kind: 'field', name: token.text, ...spanOf(token) };
    const argument = this.#argument();
    const close = this.#peek();
    if (!this.#takeSign(')'))
      this.#fail(close, `a ) is missing after ${token.text}(`, 'a function takes one name at most');
    return { kind: 'call', name: token.text, argument, start: token.start, end: close.end };
  }

  #argument(): NamedNode | null {
    const token = this.#peek();
    if (token.kind !== 'word' && token.kind !== 'string') return null;
    this.#next++;
    return { name: token.text, ...spanOf(token) };
  }

  #value(comparator: Comparator): Value {
    const token = this.#peek();
    this.#next++;
    const span = spanOf(token);
    if (token.kind === 'number') return { kind: 'number', value: token.value, unit: token.unit, ...span };
    if (token.kind === 'string' || (token.kind === 'word' && !isReserved(token))) {
      return { kind: token.kind, text: token.text, ...span };
    }
    return this.#fail(token, `a value is missing after '${comparator}'`, 'a number, or a text in quotes');
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? this.#tokens.at(-1)!;
  }

  #takeWord(word: string): boolean {
    const token = this.#peek();
    const taken = token.kind === 'word' && token.text.toLowerCase() === word;
    if (taken) this.#next++;
    return taken;
  }

  #takeSign(sign: string): boolean {
    const token = this.#peek();
    const taken = token.kind === 'sign' && token.text === sign;
    if (taken) this.#next++;
    return taken;
  }

  #fail(span: TextSpan, message: string, hint: string): never {
    throw syntaxErrorAt(this.#text, span, message, hint);
  }
}

function comparatorOf(token: Token): Comparator | undefined {
  if (token.kind === 'word') return token.text.toLowerCase() === 'contains' ? 'contains' : undefined;
  return token.kind === 'sign' ? COMPARATORS.find((one) => one === token.text) : undefined;
}

function isReserved(token: Token): boolean {
  return RESERVED.includes(token.text.toLowerCase());
}

function spanOf({ start, end }: TextSpan): TextSpan {
  return { start, end };
}
