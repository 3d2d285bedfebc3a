import type { CellRows } from '../../sheets/cell-rows.ts';
import type { NumberFormat } from '../../sheets/number-format.ts';
import type { NumberText } from '../../sheets/number-text.ts';
import type { SharedStrings } from './shared-strings.ts';
import type { SheetExtras } from './sheet-extras.ts';

/** What the cells of all sheets of a workbook refer to. */
export interface CellReferences {
  readonly strings: SharedStrings;
  readonly formats: readonly NumberFormat[];
  readonly numbers: NumberText;
}

/** The inputs and outputs of a sheet's text, common to all file formats. */
export class SheetTexts {
  readonly references: CellReferences;
  readonly rows: CellRows;
  readonly extras: SheetExtras;
  /** Cells referred to a text that is not there. */
  astray = false;

  constructor(references: CellReferences, rows: CellRows, extras: SheetExtras) {
    this.references = references;
    this.rows = rows;
    this.extras = extras;
  }

  sharedString(index: number): string {
    const text = this.references.strings.get(index);
    if (text === null) this.astray = true;
    return text ?? '';
  }
}
