import { didYouMean } from '../base/nearest.ts';
import {
  FILTER_FIELDS,
  FILTER_FUNCTIONS,
  type FilterField,
  type FunctionName,
  findField,
  findFunction,
} from './fields.ts';
import type { Call, NamedNode } from './syntax.ts';
import { syntaxErrorAt, type TextSpan } from './syntax-error.ts';

/** The existing detectors; null: any name may be one. */
export type KnownDetectors = readonly string[] | null;

/** Resolves the names of one filter, case-insensitive; an unknown one is an error at its span in the text. */
export class NameResolver {
  readonly #text: string;
  readonly #detectors: KnownDetectors;

  constructor(text: string, detectors: KnownDetectors) {
    this.#text = text;
    this.#detectors = detectors;
  }

  resolveField(named: NamedNode): FilterField {
    const field = findField(named.name);
    if (field) return field;
    const name = findFunction(named.name);
    if (name) return this.fail(named, `${name} is a function`, `write ${usageOf(name)}`);
    const names = FILTER_FIELDS.map((one) => one.name);
    const hint = didYouMean(named.name, names, `the fields are ${names.join(', ')}`);
    return this.fail(named, `unknown field '${named.name}'`, hint);
  }

  resolveFunction(call: Call): FunctionName {
    const names = FILTER_FUNCTIONS.map(({ name }) => name);
    const hint = didYouMean(call.name, names, `the functions are ${names.join(', ')}`);
    return findFunction(call.name) ?? this.fail(call, `unknown function '${call.name}'`, hint);
  }

  resolveDetector(named: NamedNode): string {
    const id = named.name.toUpperCase();
    if (this.#detectors === null || this.#detectors.includes(id)) return id;
    const hint = didYouMean(named.name, this.#detectors, `the detectors are ${this.#detectors.join(', ')}`);
    return this.fail(named, `unknown detector '${named.name}'`, hint);
  }

  fail(span: TextSpan, message: string, hint: string): never {
    throw syntaxErrorAt(this.#text, span, message, hint);
  }
}

export function usageOf(name: FunctionName): string {
  return FILTER_FUNCTIONS.find((one) => one.name === name)?.usage ?? name;
}
