/** Which columns and tables a rule set wants to hear of: a finding in another is not reported. */
import { displayKey, type Key } from '../../base/key.ts';
import type { Part } from '../../extraction/extraction.ts';
import { nameSelector } from '../../governance/name-selection.ts';
import { EVERY, type RuleSet, type Selection } from '../../governance/rule-set.ts';

export class ReportedFields {
  readonly #column: (name: string | null) => boolean;
  readonly #table: (name: string | null) => boolean;
  /** Nothing is left out, which is the usual case. */
  readonly #all: boolean;
  #key: Key | null = null;
  #tableIsIn = true;

  constructor({ columns, tables }: Pick<RuleSet, 'columns' | 'tables'> = { columns: EVERY, tables: EVERY }) {
    this.#column = nameSelector(columns);
    this.#table = nameSelector(tables);
    this.#all = selectsAll(columns) && selectsAll(tables);
  }

  /** The object that is looked at from now on. */
  enter(key: Key): void {
    this.#key = key;
  }

  begin(part: Part): void {
    this.#tableIsIn = this.#all || this.#table(this.#tableOf(part));
  }

  lets(field: string | null): boolean {
    return this.#all || (this.#tableIsIn && this.#column(field));
  }

  /** `exports/customers.csv.gz` is the table `customers`; what is no table has no name. */
  #tableOf({ format }: Part): string | null {
    if (this.#key === null || (format !== 'csv' && format !== 'tsv')) return null;
    const path = displayKey(this.#key);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const dot = name.indexOf('.', 1);
    return dot === -1 ? name : name.slice(0, dot);
  }
}

function selectsAll({ include, exclude }: Selection): boolean {
  return include.length === 0 && exclude.length === 0;
}
