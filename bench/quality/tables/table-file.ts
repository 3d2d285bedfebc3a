/** Writes a generated table, and knows at which bytes every value is. */
import { makeRow, type Row } from './cells.ts';
import { COLUMNS, type ColumnKind, headerOf, SENSITIVE, shortHeaderOf } from './headers.ts';
import type { Language } from './languages.ts';
import { GAPS, NUMERIC, type Variant } from './variants.ts';

export interface Cell {
  readonly kind: ColumnKind;
  readonly header: string;
  readonly value: string;
  /** In bytes of the file. */
  readonly start: number;
  readonly end: number;
  /** Must be found. */
  readonly sensitive: boolean;
  readonly listedName: boolean;
}

export interface GeneratedTable {
  readonly file: string;
  readonly language: string;
  readonly variant: string;
  readonly bytes: Buffer;
  readonly cells: readonly Cell[];
}

const LONG_CELL = 9000;
const LONG_CELL_ROWS = 5;
const SENSITIVE_KINDS: ReadonlySet<ColumnKind> = new Set(SENSITIVE);
/** What changes when all letters are written alike. A password would be another one. */
const KEEP_LETTERS: readonly ColumnKind[] = ['password', 'uuid', 'record_id'];

export function makeTable(
  language: Language,
  variant: Variant,
  alternative: number,
  rows: number,
): GeneratedTable {
  const out = new TableBytes(variant, encodingOf(language, variant));
  const columns = shuffled(language);
  const headers = columns.map((kind) =>
    inLetters(headerText(language, variant, kind, alternative), variant, language),
  );
  if (variant.secondHeader) out.writeRow(columns.map(shortHeaderOf), () => null);
  if (variant.headers !== 'none') out.writeRow(headers, () => null);
  for (let row = 0; row < rows; row++) {
    const made = makeRow(language, row);
    const written = columns.map((kind) => textOf(language, variant, kind, made, row));
    out.writeRow(
      written.map(({ text }) => text),
      (column) => ({
        kind: columns[column]!,
        header: headers[column]!,
        sensitive: SENSITIVE_KINDS.has(columns[column]!) && !written[column]!.gap,
        listedName: made.listedName,
      }),
    );
  }
  const name = variant.name.replaceAll(/[ ,]+/g, '-').toLowerCase();
  const extension = variant.delimiter === '\t' ? 'tsv' : 'csv';
  const file = `${language.code}-${name}-${alternative}.${extension}`;
  return { file, language: language.code, variant: variant.name, ...out.finish() };
}

/** Columns are in another order in every table, because detection looks at the neighbours of a value. */
function shuffled({ faker }: Language): ColumnKind[] {
  return faker.helpers.shuffle([...COLUMNS]);
}

function headerText({ code }: Language, { headers }: Variant, kind: ColumnKind, alternative: number): string {
  return headers === 'localized'
    ? headerOf(code, kind, alternative)
    : headers === 'short'
      ? shortHeaderOf(kind)
      : '';
}

function textOf(
  language: Language,
  variant: Variant,
  kind: ColumnKind,
  { cells }: Row,
  row: number,
): { text: string; gap: boolean } {
  const { faker } = language;
  if (variant.gaps && faker.number.int({ min: 1, max: 4 }) === 1)
    return { text: faker.helpers.arrayElement(GAPS), gap: true };
  const value = cells.get(kind)!;
  if (variant.longCells && kind === 'notes' && row % LONG_CELL_ROWS === LONG_CELL_ROWS - 1)
    return { text: `${value}\n`.repeat(Math.ceil(LONG_CELL / Buffer.byteLength(value))), gap: false };
  if (variant.floats && NUMERIC.includes(kind)) return { text: asFloat(value), gap: false };
  return { text: KEEP_LETTERS.includes(kind) ? value : inLetters(value, variant, language), gap: false };
}

function inLetters(text: string, { letters }: Variant, { code }: Language): string {
  if (letters === 'upper') return text.toLocaleUpperCase(code);
  return letters === 'lower' ? text.toLocaleLowerCase(code) : text;
}

/** A number with leading zeros, or with letters, stays text. */
function asFloat(value: string): string {
  const digits = value.replace(/[ ()/.+-]/g, '');
  return /^[1-9]\d*$/.test(digits) ? `${digits}.0` : value;
}

type Encoding = 'utf8' | 'latin1' | 'utf16le';

function encodingOf({ oldEncoding }: Language, { encoding }: Variant): Encoding {
  if (encoding === 'old') return oldEncoding;
  return encoding === 'utf16le-bom' ? 'utf16le' : 'utf8';
}

type CellFacts = Omit<Cell, 'value' | 'start' | 'end'>;

class TableBytes {
  readonly #variant: Variant;
  readonly #encoding: Encoding;
  readonly #parts: Buffer[] = [];
  readonly #cells: Cell[] = [];
  #length = 0;

  constructor(variant: Variant, encoding: Encoding) {
    this.#variant = variant;
    this.#encoding = encoding;
    const bom = variant.encoding === 'utf8-bom' || encoding === 'utf16le';
    if (bom) this.#write('\ufeff');
  }

  writeRow(texts: readonly string[], factsOf: (column: number) => CellFacts | null): void {
    for (const [column, text] of texts.entries()) {
      if (column > 0) this.#write(this.#variant.delimiter);
      const quote = this.#needsQuotes(text) ? '"' : '';
      this.#write(quote);
      const start = this.#length;
      this.#write(text);
      const facts = factsOf(column);
      if (facts !== null) this.#cells.push({ ...facts, value: text, start, end: this.#length });
      this.#write(quote);
    }
    this.#write('\n');
  }

  finish(): { readonly bytes: Buffer; readonly cells: readonly Cell[] } {
    return { bytes: Buffer.concat(this.#parts), cells: this.#cells };
  }

  #needsQuotes(text: string): boolean {
    return (this.#variant.quoteAll ?? false) || text.includes(this.#variant.delimiter) || text.includes('\n');
  }

  #write(text: string): void {
    const bytes = Buffer.from(text, this.#encoding);
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }
}
