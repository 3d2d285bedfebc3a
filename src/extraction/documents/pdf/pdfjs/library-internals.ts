/** Insides of the PDF library, as far as they are used here. */
export type Library = typeof import('unpdf/pdfjs');

export interface LibraryInternals {
  readonly Evaluator: EvaluatorClass;
  readonly OperationReader: OperationReaderClass;
  readonly Stream: StreamClass;
  readonly Lexer: LexerClass;
  readonly FileSpec: FileSpecClass;
  readonly AnnotationClass: { readonly prototype: AnnotationInternals };
  readonly bidi: (text: string, level: number, vertical: boolean) => { str: string; dir: string };
}

/** A file that is attached. */
export interface FileSpecClass {
  readStreamContent(stream: AttachedStream): Uint8Array;
}

export interface AttachedStream {
  readonly dict?: (Dictionary & { readonly xref?: Objects }) | null;
  /** Decodes no more than requested. */
  getBytes(length?: number): Uint8Array;
}

export interface AnnotationInternals {
  /** The appearance stream. */
  readonly appearance: PdfStream | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Dictionary {
  readonly objId?: string | null;
  get(key: string): unknown;
  getRaw(key: string): unknown;
  getArray(key: string): unknown;
}

export interface PdfStream {
  readonly isAsync: boolean;
  readonly dict?: Dictionary | null;
  asyncGetBytes(): Promise<Uint8Array | null>;
  getBytes(): Uint8Array;
  reset(): void;
}

/** All of it in memory. */
export interface ByteStream extends PdfStream {
  readonly bytes: Uint8Array;
  readonly end: number;
  pos: number;
}

export interface StreamClass {
  new (bytes: Uint8Array, start: number, length: number, dict?: Dictionary | null): ByteStream;
}

/** Reads words. */
export interface Lexer {
  readonly stream: ByteStream;
  readonly currentChar: number;
  nextChar(): number;
  getString(): string;
}

export interface LexerClass {
  readonly prototype: { getString: (this: Lexer) => string };
  new (stream: PdfStream): Lexer;
}

/** A character as a font has it; `width` in units of the font. */
export interface FontGlyph {
  readonly originalCharCode: number;
  readonly unicode: string;
  readonly width: number;
  readonly category: {
    readonly isWhitespace: boolean;
    readonly isZeroWidthDiacritic: boolean;
    readonly isInvisibleFormatMark: boolean;
  };
}

export interface PdfFont {
  readonly name: string;
  readonly vertical: boolean;
  readonly isType3Font?: boolean;
  readonly isCharBBox?: boolean;
  readonly bbox?: readonly number[];
  readonly fontMatrix?: readonly number[];
  readonly cMap?: unknown;
  charsToGlyphs(codes: string): FontGlyph[];
  _charToGlyph?(code: number, isSpace: boolean): FontGlyph;
}

/** Keeps the states of drawing for the reader of operations. */
export interface States {
  readonly stateStack: readonly unknown[];
  save(): void;
  restore(): void;
  transform(matrix: readonly number[]): void;
}

export interface Operation {
  fn: number;
  args: unknown[];
}

export interface OperationReader {
  readonly parser: { readonly lexer: Lexer };
  read(operation: Operation): boolean;
}

export interface OperationReaderClass {
  readonly prototype: { read: (this: OperationReader, operation: Operation) => boolean };
  new (stream: PdfStream, objects: Objects, states: States): OperationReader;
}

export interface Objects {
  /** The document. */
  readonly stream: { readonly length: number };
  fetchIfRef(object: unknown): unknown;
}

/** Reads what is drawn; one for each page. */
export interface Evaluator {
  readonly xref: Objects;
  loadFont(
    name: string | null,
    font: unknown,
    resources: Dictionary,
    task: unknown,
    fallback: null,
    dictionary: null,
    within: Circle,
  ): Promise<{ readonly font: PdfFont }>;
}

export interface EvaluatorClass {
  readonly prototype: { getTextContent: (this: Evaluator, request: TextRequest) => Promise<void> };
}

/** What is being read, so that nothing is read inside of itself. */
export interface Circle {
  has(id: { toString(): string }): boolean;
  put(id: { toString(): string }): void;
  readonly _set: Set<string>;
}

export interface TextRequest {
  readonly stream: PdfStream;
  readonly task: { ensureNotTerminated(): void };
  readonly resources?: Dictionary;
  readonly viewBox: readonly number[];
  readonly sink?: { enqueue(chunk: object, size: number): void };
  readonly includeMarkedContent?: boolean;
  readonly keepWhiteSpace?: boolean;
  readonly stateManager?: unknown;
  readonly prevRefs?: unknown;
  readonly intersector?: unknown;
}
