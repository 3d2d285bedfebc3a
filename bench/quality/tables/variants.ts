/** How a table is written: what exports of real programs do, and what is wrong with them. */
import type { ColumnKind } from './headers.ts';

export interface Variant {
  readonly name: string;
  readonly delimiter: ',' | ';' | '\t';
  readonly headers: 'localized' | 'short' | 'none';
  /** A row of technical names above the labels. */
  readonly secondHeader?: true;
  readonly letters?: 'upper' | 'lower';
  readonly quoteAll?: true;
  readonly encoding?: 'utf8-bom' | 'old' | 'utf16le-bom';
  /** NULL, empty and similar values in one of four cells. */
  readonly gaps?: true;
  /** Numbers as spreadsheets save them: 94110.0. */
  readonly floats?: true;
  /** A remark of several lines and more than 8 kB in every fifth row. */
  readonly longCells?: true;
}

export const VARIANTS: readonly Variant[] = [
  { name: 'plain', delimiter: ',', headers: 'localized' },
  {
    name: 'quoted, semicolon, BOM',
    delimiter: ';',
    headers: 'localized',
    quoteAll: true,
    encoding: 'utf8-bom',
  },
  { name: 'upper case', delimiter: ',', headers: 'localized', letters: 'upper' },
  { name: 'lower case', delimiter: ';', headers: 'localized', letters: 'lower' },
  { name: 'short headers, tab', delimiter: '\t', headers: 'short' },
  { name: 'old encoding', delimiter: ';', headers: 'localized', encoding: 'old' },
  { name: 'UTF-16, tab', delimiter: '\t', headers: 'localized', encoding: 'utf16le-bom' },
  { name: 'two header rows', delimiter: ',', headers: 'localized', secondHeader: true },
  { name: 'gaps', delimiter: ',', headers: 'localized', gaps: true },
  { name: 'numbers as floats', delimiter: ',', headers: 'short', floats: true },
  { name: 'long cells', delimiter: ',', headers: 'localized', longCells: true },
  { name: 'no header', delimiter: ',', headers: 'none' },
];

/** Columns that a spreadsheet may take for numbers, if their values are digits only. */
export const NUMERIC: readonly ColumnKind[] = [
  'phone',
  'postal_code',
  'national_id',
  'card',
  'quantity',
  'counter',
];
export const GAPS: readonly string[] = ['NULL', '', 'N/A', '-', 'null'];
