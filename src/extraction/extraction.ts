/**
 * The words of extraction. An object becomes one or more parts of text; a part's text is in an ASCII-compatible
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
  | 'eml';

/** How the values of a text are named, and how to find a value's name. */
export interface Fields {
  /** The column, key or tag that holds the byte at `at` of `window`, a stretch of this part's text; null: don't know. */
  fieldAt(window: Uint8Array, at: number): string | null;
  /** `near`: on the value's own line; `lists`: by the lines and brackets around it; `columns`: by the head of a table. */
  readonly naming: 'near' | 'lists' | 'columns';
  /** The names in the head of a table, in order. */
  readonly columns?: readonly string[];
  /** The byte between two values of its rows. */
  readonly delimiter?: number;
}

export interface Part extends Fields {
  /** null: the object itself; else where inside it ("body", "gzip", "attachment notes.txt"). */
  readonly name: string | null;
  readonly format: Format;
  /** How to show the text's bytes to a person. */
  readonly charset: 'utf-8' | 'latin1';
  /** The offset in the object of a byte of this text (UTF-16 is twice as long); the offset itself inside a decompressed part. */
  origin(offset: number): number;
}

/** Where the text goes: `begin`, any number of `text`, `end`, for each part in turn. Bytes are valid during the call only. */
export interface TextSink {
  begin(part: Part): void;
  text(bytes: Uint8Array): void;
  end(): void;
}

/** What became of the object. `stable`: the same bytes will give the same answer, so an unchanged object need not be tried again. */
export type Reading =
  | { readonly state: 'read'; readonly format: Format }
  | { readonly state: 'partial'; readonly reason: string; readonly format: Format; readonly stable: boolean }
  | { readonly state: 'skipped'; readonly reason: string; readonly stable: boolean };
