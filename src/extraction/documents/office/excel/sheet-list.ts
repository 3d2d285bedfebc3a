import { CorruptInput } from '../../../extraction-error.ts';
import { NameList } from '../../../whole-name.ts';
import { sheetLocation } from '../../sheets/cell-value.ts';
import type { Parts } from '../package/parts.ts';
import { partsOf, type Relation } from '../package/relations.ts';

const SHEETS = ['worksheet', 'chartsheet', 'dialogsheet', 'xlMacrosheet', 'xlIntlMacrosheet'];

/** The sheets' parts with their names, in order. */
export class SheetList {
  readonly sheets = new Map<string, string>();
  /** Days are counted from 1904. */
  from1904 = false;
  readonly #relations: readonly Relation[];
  readonly #targets: ReadonlyMap<string, string>;
  readonly #parts: Parts;
  readonly #names = new NameList();

  constructor(relations: readonly Relation[], parts: Parts) {
    this.#relations = relations;
    this.#targets = new Map(relations.map(({ id, target }) => [id, target]));
    this.#parts = parts;
  }

  /** `id`: of the relation to its part. Modules of macros are listed too, without one. */
  add(id: string, name: string | null): void {
    if (id === '') return;
    const target = this.#targets.get(id);
    if (target === undefined) this.#parts.record(new CorruptInput('missing part'));
    else if (!this.sheets.has(target)) this.sheets.set(target, this.#names.keep(sheetLocation(name)));
  }

  /** Last those that only are there. */
  addOthers(): void {
    for (const target of partsOf(this.#relations, ...SHEETS))
      if (!this.sheets.has(target))
        this.sheets.set(target, this.#names.keep(sheetLocation(target.slice(target.lastIndexOf('/') + 1))));
  }
}
