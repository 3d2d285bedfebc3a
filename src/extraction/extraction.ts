import type { Grid } from './grid.ts';
import type { ArchiveType, DocumentType } from './sniff/readable.ts';

/**
 * The types of extraction. An object becomes one or more parts of text; a part's text is in an ASCII-compatible
 * encoding (UTF-8, Latin-1 and friends), so that detection can work on bytes without decoding.
 */
export type Format =
  | 'text'
  | 'log'
  | 'csv'
  | 'tsv'
  | 'json'
  | 'ndjson'
  | 'xml'
  | 'html'
  | 'markdown'
  | 'code'
  | 'env'
  | 'ini'
  | 'yaml'
  | 'eml'
  | 'mbox'
  | 'ics'
  | 'vcf';

/** Finds the name of a value in a text: its column, key or tag. */
export interface FieldLocator {
  /** The column, key or tag that contains the byte at `at` of `window`, a range of this part's text; null: unknown. */
  fieldAt(window: Uint8Array, at: number): string | null;
  /** `near`: on the value's own line; `lists`: by the lines and brackets around it; `columns`: by the head of a table. */
  readonly fieldScope: 'near' | 'lists' | 'columns';
  /** The names in the head of a table, in order. */
  readonly columns?: readonly string[];
  /** The byte between two values of its rows. */
  readonly delimiter?: number;
  /** Of a table: how its rows are divided into cells, and the first of them. */
  readonly table?: TableShape;
}

export interface TableShape {
  readonly delimiter: number;
  /** Whether cells may be quoted. */
  readonly quoted: boolean;
  /** In the first row; null: it has values. */
  readonly names: readonly string[] | null;
  /** The first bytes of the text. */
  readonly head: Uint8Array;
}

export interface TextPart extends FieldLocator {
  /**
   * Null for the object itself; else the path inside it: "gzip", "body", "hr/salaries.xlsx#Sheet1", "#page 3". A member of an archive
   * follows "!", a location in a document "#".
   */
  readonly name: string | null;
  readonly format: Format;
  /** How to show the text's bytes to a person. */
  readonly charset: 'utf-8' | 'latin1';
  /** The offset in the object of a byte of this text (UTF-16 is twice as long); the offset itself inside a decompressed part. */
  sourceOffset(offset: number): number;
  /** Of a table: the cell that holds the byte at `at` of `window`, on that line of the text: "C7", "row 1204". */
  readonly grid?: Grid;
  /** What preceded it of the same text, from which it is separated by a table. */
  readonly before?: PrecedingText;
  cellAt?(window: Uint8Array, at: number, line: number): string | null;
}

/** Lines and bytes are counted on after a table. */
export interface PrecedingText {
  readonly lines: number;
  readonly bytes: number;
}

/** The receiver of text: `begin`, any number of `text`, `end`, for each part in turn. Bytes are only valid during the call. */
export interface TextSink {
  begin(part: TextPart): void;
  text(bytes: Uint8Array): void;
  end(): void;
}

/** The format of an object for display: of a text, an archive or a document. */
export type FormatName = Format | ArchiveType | DocumentType;

/** The outcome for the object. `stable`: the same bytes will give the same result, so an unchanged object need not be read again. */
export type ExtractionResult = (
  | { readonly state: 'read'; readonly format: FormatName }
  | {
      readonly state: 'partial';
      readonly reason: string;
      readonly format: FormatName;
      readonly stable: boolean;
    }
  | { readonly state: 'skipped'; readonly reason: string; readonly stable: boolean }
) & {
  /** The content contradicts the name: "named .pdf, is a zip archive". */
  readonly typeMismatch?: string;
};

/**
 * Part of the inventory's key: unchanged objects are read again when this number changes. Must be raised whenever the same bytes may give
 * other parts, other text or another result. Otherwise unchanged objects would keep outdated results.
 */
export const EXTRACTION_VERSION = 8;
