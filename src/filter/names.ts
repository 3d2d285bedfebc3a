import { didYouMean } from '../base/nearest.ts';
import {
  FILTER_FIELDS,
  FILTER_FUNCTIONS,
  type FilterField,
  type FunctionName,
  fieldNamed,
  functionNamed,
} from './fields.ts';
import { mistake, type Place } from './mistake.ts';
import type { Call, Named } from './syntax.ts';

/** The detectors there are; null: any name may be one. */
export type Detectors = readonly string[] | null;

/** Looks up the names of one filter, in any case; one that is not there is a mistake at its place in the text. */
export class Names {
  readonly #text: string;
  readonly #detectors: Detectors;

  constructor(text: string, detectors: Detectors) {
    this.#text = text;
    this.#detectors = detectors;
  }

  field(named: Named): FilterField {
    const field = fieldNamed(named.name);
    if (field) return field;
    const name = functionNamed(named.name);
    if (name) return this.fail(named, `${name} is a function`, `write ${usageOf(name)}`);
    const names = FILTER_FIELDS.map((known) => known.name);
    const hint = didYouMean(named.name, names, `the fields are ${names.join(', ')}`);
    return this.fail(named, `there is no field '${named.name}'`, hint);
  }

  functionOf(call: Call): FunctionName {
    const names = FILTER_FUNCTIONS.map(({ name }) => name);
    const hint = didYouMean(call.name, names, `the functions are ${names.join(', ')}`);
    return functionNamed(call.name) ?? this.fail(call, `there is no function '${call.name}'`, hint);
  }

  detector(named: Named): string {
    const id = named.name.toUpperCase();
    if (this.#detectors === null || this.#detectors.includes(id)) return id;
    const hint = didYouMean(named.name, this.#detectors, `the detectors are ${this.#detectors.join(', ')}`);
    return this.fail(named, `there is no detector '${named.name}'`, hint);
  }

  fail(place: Place, message: string, hint: string): never {
    throw mistake(this.#text, place, message, hint);
  }
}

export function usageOf(name: FunctionName): string {
  return FILTER_FUNCTIONS.find((known) => known.name === name)?.usage ?? name;
}
