/** Which columns and tables a rule set reports: findings in others are dropped. */
import { displayKey, type Key } from '../../base/key.ts';
import type { TextPart } from '../../extraction/extraction.ts';
import { nameSelector } from '../../governance/name-selection.ts';
import { type RuleSet, SELECT_ALL, type Selection } from '../../governance/rule-set.ts';

export class ReportedFields {
  readonly #column: (name: string | null) => boolean;
  readonly #table: (name: string | null) => boolean;
  /** No exclusions, the usual case. */
  readonly #all: boolean;
  #key: Key | null = null;
  #tableIsIn = true;

  constructor(
    { columns, tables }: Pick<RuleSet, 'columns' | 'tables'> = { columns: SELECT_ALL, tables: SELECT_ALL },
  ) {
    this.#column = nameSelector(columns);
    this.#table = nameSelector(tables);
    this.#all = selectsAll(columns) && selectsAll(tables);
  }

  /** Sets the current object. */
  startObject(key: Key): void {
    this.#key = key;
  }

  begin(part: TextPart): void {
    this.#tableIsIn = this.#all || this.#table(this.#tableOf(part));
  }

  includes(field: string | null): boolean {
    return this.#all || (this.#tableIsIn && this.#column(field));
  }

  /** Returns null for parts that are not tables. */
  #tableOf({ format, name, grid }: TextPart): string | null {
    if (this.#key === null || (format !== 'csv' && format !== 'tsv')) return null;
    const inside = grid?.cells === 'sheet' || name?.includes('#table ') ? tableOf(name ?? '') : null;
    return inside ?? fileOf(name === null || name.startsWith('#') ? displayKey(this.#key) : name);
  }
}

/** `#Sheet1` is the table `Sheet1`, `old.db#table customers` the table `customers`. */
function tableOf(part: string): string | null {
  const name = part.slice(part.lastIndexOf('#') + 1);
  return name.startsWith('table ') ? name.slice('table '.length) : name || null;
}

/** `exports/customers.csv.gz` is the table `customers`. */
function fileOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('!')) + 1);
  const dot = name.indexOf('.', 1);
  return dot === -1 ? name : name.slice(0, dot);
}

function selectsAll({ include, exclude }: Selection): boolean {
  return include.length === 0 && exclude.length === 0;
}
