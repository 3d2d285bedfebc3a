import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { SeineError } from '../base/errors.ts';
import { didYouMean } from '../base/nearest.ts';

/**
 * Parses YAML value by value, with the expected type of each. A failure is a usage error that starts with
 * `file:line:column`. `undefined` stands for a missing key.
 */
export class YamlFile {
  readonly #name: string;
  readonly #lines = new LineCounter();
  readonly #document: Document;

  constructor(text: string, name: string) {
    this.#name = name;
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const error = this.#document.errors[0];
    if (error?.code === 'MULTIPLE_DOCS') {
      this.#failAt(error.pos[0], 'a second document starts', 'one file holds one document: remove the ---');
    }
    if (error) this.#failAt(error.pos[0], error.message, 'the file is not valid YAML there');
    if (this.root === null) this.#failAt(0, 'the file is empty', 'write at least a name: …');
  }

  get root(): unknown {
    return this.#document.contents;
  }

  /** A mapping with no other keys than these. */
  map<K extends string>(node: unknown, what: string, keys: readonly K[]): Partial<Record<K, unknown>> {
    const values: Partial<Record<K, unknown>> = {};
    for (const [keyNode, value] of this.entries(node, what)) {
      const name = this.string(keyNode, 'a key');
      const key = keys.find((known) => known === name);
      if (key === undefined) {
        const hint = didYouMean(name, keys, `the keys are ${keys.join(', ')}`);
        return this.fail(keyNode, `${what} cannot have a key '${name}'`, hint);
      }
      values[key] = value;
    }
    return values;
  }

  entries(node: unknown, what: string): (readonly [key: unknown, value: unknown])[] {
    const map = this.#resolve(node);
    if (!isMap(map)) return this.#wrongType(node, what, 'a mapping', 'write key: value, one a line');
    return map.items.map(({ key, value }) => [key, value]);
  }

  list<T>(node: unknown, what: string, item: (node: unknown, what: string) => T): T[] {
    const list = this.#resolve(node);
    if (!isSeq(list)) return this.#wrongType(node, what, 'a list', 'write [a, b], or one a line after a -');
    return list.items.map((each) => item(each, `an item of ${what}`));
  }

  string(node: unknown, what: string): string {
    const scalar = this.#resolve(node);
    if (isScalar(scalar) && typeof scalar.value === 'string' && scalar.value !== '') return scalar.value;
    return this.#wrongType(
      node,
      what,
      'a text',
      'put quotes around a value that YAML parses as a number or a date',
    );
  }

  number(node: unknown, what: string, max: number): number {
    const scalar = this.#resolve(node);
    if (!isScalar(scalar) || typeof scalar.value !== 'number') {
      return this.#wrongType(node, what, 'a number', `it goes from 0 to ${max}`);
    }
    // Written so that .nan is rejected, too.
    if (scalar.value >= 0 && scalar.value <= max) return scalar.value;
    return this.fail(node, `${what} is ${scalar.value}`, `it goes from 0 to ${max}`);
  }

  boolean(node: unknown, what: string): boolean {
    const scalar = this.#resolve(node);
    if (isScalar(scalar) && typeof scalar.value === 'boolean') return scalar.value;
    return this.#wrongType(node, what, 'true or false', 'write it without quotes');
  }

  isText(node: unknown): boolean {
    const scalar = this.#resolve(node);
    return isScalar(scalar) && typeof scalar.value === 'string';
  }

  /** One of these names, case-insensitive. */
  oneOf<N extends string>(node: unknown, what: string, names: readonly N[]): N {
    const text = this.string(node, what);
    const name = names.find((known) => known.toLowerCase() === text.toLowerCase());
    if (name !== undefined) return name;
    const hint = didYouMean(text, names, `known are ${names.join(', ')}`);
    return this.fail(node, `${what} cannot be '${text}'`, hint);
  }

  fail(node: unknown, message: string, hint: string): never {
    return this.#failAt((isNode(node) && node.range?.[0]) || 0, message, hint);
  }

  #wrongType(node: unknown, what: string, expected: string, hint: string): never {
    return this.fail(node, `${what} must be ${expected}, but it is ${kindOf(this.#resolve(node))}`, hint);
  }

  #resolve(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.#document) : node;
  }

  #failAt(offset: number, message: string, hint: string): never {
    const { line, col } = this.#lines.linePos(offset);
    throw new SeineError('usage', `${this.#name}:${line || 1}:${col || 1}: ${message}`, { hint });
  }
}

function kindOf(node: unknown): string {
  if (isMap(node)) return 'a mapping';
  if (isSeq(node)) return 'a list';
  const value = isScalar(node) ? node.value : null;
  if (value === null || value === '') return 'empty';
  return typeof value === 'string' ? `the text '${value}'` : `the ${typeof value} ${value}`;
}
