import type {
  Circle,
  Dictionary,
  Evaluator,
  OperationReaderClass,
  PdfStream,
  StreamClass,
  TextRequest,
} from '../pdfjs/library-internals.ts';
import { actualText, isDictionary } from './actual-text.ts';
import { type FontGlyphs, glyphsOf } from './font-glyphs.ts';
import type { PageLines } from './lines.ts';
import { FastPathUnsupported, type ItemSink, TextItems } from './text-items.ts';
import { product, type TextState, TextStates } from './text-state.ts';

/** What all drawings of a page have in common. */
export interface Drawing {
  readonly evaluator: Evaluator;
  readonly task: TextRequest['task'];
  /** Of the page. */
  readonly viewBox: readonly number[];
  readonly OperationReader: OperationReaderClass;
  readonly Stream: StreamClass;
  /** By their numbers. */
  readonly operators: readonly (string | undefined)[];
  /** Those that are being read now, each within the one before it: one for all of them, as there may be thousands. */
  readonly within: Circle;
  readonly sink: ItemSink & { readonly items: number; form(): void } & Pick<PageLines, 'mark' | 'unmark'>;
}

/** Operators that Content handles; all others are irrelevant for text. */
export const ABOUT_TEXT: ReadonlySet<string> = new Set([
  'showText',
  'showSpacedText',
  'nextLineShowText',
  'nextLineSetSpacingShowText',
  'setFont',
  'paintXObject',
  'setGState',
  'beginMarkedContent',
  'beginMarkedContentProps',
  'endMarkedContent',
  'beginText',
  'moveText',
  'setLeadingMoveText',
  'nextLine',
  'setTextMatrix',
  'setTextRise',
  'setHScale',
  'setLeading',
  'setCharSpacing',
  'setWordSpacing',
]);

/** The operations of a page, or of a form that is drawn on it, as far as they are about text. */
export class Content {
  readonly #drawing: Drawing;
  readonly #resources: Dictionary;
  readonly #states: TextStates;
  readonly #items: TextItems;
  readonly #fonts = new Map<string, FontGlyphs>();
  /** Names of pictures and of forms without text. */
  readonly #mute = new Set<string>();
  /** Names of settings that change nothing about text. */
  readonly #idle = new Set<string>();

  constructor(drawing: Drawing, resources: Dictionary, state: TextState) {
    this.#drawing = drawing;
    this.#resources = resources;
    this.#states = new TextStates(state);
    this.#items = new TextItems(drawing.sink, drawing.viewBox, state);
  }

  async read(stream: PdfStream): Promise<void> {
    const { _set: within } = this.#drawing.within;
    const id = stream.dict?.objId ?? '';
    if (id !== '' && within.has(id)) throw new FastPathUnsupported();
    within.add(id);
    await this.#readAll(stream);
    within.delete(id);
  }

  async #readAll(stream: PdfStream): Promise<void> {
    const { evaluator, operators, OperationReader, Stream } = this.#drawing;
    const reader = new OperationReader(await decompressed(stream, Stream), evaluator.xref, this.#states);
    for (const operation = { fn: 0, args: [] as unknown[] }; reader.read(operation); operation.args = []) {
      const operator = operators[operation.fn];
      if (operator === undefined) continue;
      const wait = this.#do(operator, operation.args);
      if (wait !== null) await wait;
    }
    this.#items.flush();
  }

  #do(operator: string, args: readonly unknown[]): Promise<void> | null {
    const { state } = this.#states;
    switch (operator) {
      case 'showText':
        this.#show(args[0]);
        break;
      case 'showSpacedText':
        this.#showSpaced(args[0]);
        break;
      case 'nextLineShowText':
        state.newLine(0, -state.leading);
        this.#show(args[0]);
        break;
      case 'nextLineSetSpacingShowText':
        state.wordSpacing = number(args[0]);
        state.characterSpacing = number(args[1]);
        state.newLine(0, -state.leading);
        this.#show(args[2]);
        break;
      case 'setFont':
        return this.#setFont(nameOf(args[0]), number(args[1]));
      case 'paintXObject':
        return this.#paint(nameOf(args[0]));
      case 'setGState':
        this.#setMany(nameOf(args[0]));
        break;
      case 'beginMarkedContent':
      case 'beginMarkedContentProps':
        this.#items.flush();
        this.#drawing.sink.mark(args.length > 1 ? actualText(args[1], this.#resources) : null);
        break;
      case 'endMarkedContent':
        this.#items.flush();
        this.#drawing.sink.unmark();
        break;
      default:
        this.#place(operator, args.map(number));
    }
    return null;
  }

  #place(operator: string, values: readonly number[]): void {
    const { state } = this.#states;
    const [first = 0, second = 0] = values;
    switch (operator) {
      case 'beginText':
        state.begin();
        break;
      case 'moveText':
        state.newLine(first, second);
        break;
      case 'setLeadingMoveText':
        state.leading = -second;
        state.newLine(first, second);
        break;
      case 'nextLine':
        state.newLine(0, -state.leading);
        break;
      case 'setTextMatrix':
        state.set(values);
        this.#items.rescale(state);
        break;
      case 'setTextRise':
        state.rise = first;
        break;
      case 'setHScale':
        state.horizontalScale = first / 100;
        break;
      case 'setLeading':
        state.leading = first;
        break;
      case 'setCharSpacing':
        state.characterSpacing = first;
        break;
      case 'setWordSpacing':
        state.wordSpacing = first;
        break;
    }
  }

  #show(codes: unknown): void {
    if (typeof codes !== 'string') throw new FastPathUnsupported();
    this.#items.show(this.#states.state, codes, 0);
  }

  /** Numbers are moves between strings. */
  #showSpaced(parts: unknown): void {
    if (!Array.isArray(parts)) throw new FastPathUnsupported();
    const { state } = this.#states;
    if (state.font === null) throw new FastPathUnsupported();
    let codes: string | null = null;
    for (const part of parts as readonly unknown[]) {
      if (typeof part === 'string') codes = (codes ?? '') + part;
      else if (typeof part === 'number' && part !== 0) {
        this.#items.show(state, codes ?? '', part * ((-1 * state.fontSize) / 1000));
        codes = null;
      }
    }
    if (codes !== null) this.#items.show(state, codes, 0);
  }

  #setFont(name: string, size: number): Promise<void> | null {
    const { state } = this.#states;
    if (state.font !== null && name === state.fontName && size === state.fontSize) return null;
    state.fontName = name;
    state.fontSize = size;
    const known = this.#fonts.get(name);
    if (known === undefined) return this.#loadFont(state, name);
    state.font = known;
    return null;
  }

  async #loadFont(state: TextState, name: string): Promise<void> {
    const { evaluator, task, within } = this.#drawing;
    const { font } = await evaluator.loadFont(name, null, this.#resources, task, null, null, within);
    task.ensureNotTerminated();
    state.font = glyphsOf(font);
    this.#fonts.set(name, state.font);
  }

  /** A font that is set that way is left to the library. */
  #setMany(name: string): void {
    if (this.#idle.has(name)) return;
    const settings = dictionary(dictionary(this.#resources.get('ExtGState')).get(name));
    if (settings.get('Font')) throw new FastPathUnsupported();
    this.#idle.add(name);
  }

  #paint(name: string): Promise<void> | null {
    this.#items.flush();
    if (this.#mute.has(name)) return null;
    const raw = dictionary(this.#resources.get('XObject')).getRaw(name);
    const form = this.#drawing.evaluator.xref.fetchIfRef(raw);
    if (!isStream(form)) throw new FastPathUnsupported();
    if (nameOf(form.dict.get('Subtype')) === 'Form') return this.#draw(name, form);
    this.#mute.add(name);
    return null;
  }

  async #draw(name: string, form: PdfStream & { readonly dict: Dictionary }): Promise<void> {
    const { sink } = this.#drawing;
    sink.form();
    const state = this.#states.state.clone();
    const matrix = form.dict.getArray('Matrix');
    if (isMatrix(matrix)) state.paper = product(state.paper, matrix);
    const resources = form.dict.get('Resources');
    const before = sink.items;
    const inside = isDictionary(resources) ? resources : this.#resources;
    await new Content(this.#drawing, inside, state).read(form);
    if (sink.items === before) this.#mute.add(name);
  }
}

/** Waits in any case: forms may be in each other deeper than calls may be. */
export async function decompressed(stream: PdfStream, Stream: StreamClass): Promise<PdfStream> {
  const bytes = stream.isAsync ? await stream.asyncGetBytes() : null;
  return bytes ? new Stream(bytes, 0, bytes.length, stream.dict) : stream;
}

/** As the library wants it. */
export function newCircle(): Circle {
  const _set = new Set<string>();
  return { _set, has: (id) => _set.has(id.toString()), put: (id) => _set.add(id.toString()) };
}

function number(value: unknown): number {
  if (typeof value !== 'number') throw new FastPathUnsupported();
  return value;
}

function nameOf(value: unknown): string {
  const name: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'name') : null;
  if (typeof name !== 'string') throw new FastPathUnsupported();
  return name;
}

function dictionary(value: unknown): Dictionary {
  if (!isDictionary(value)) throw new FastPathUnsupported();
  return value;
}

function isStream(value: unknown): value is PdfStream & { readonly dict: Dictionary } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'getBytes' in value &&
    'dict' in value &&
    isDictionary(value.dict)
  );
}

function isMatrix(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length === 6 && value.every((one) => typeof one === 'number');
}
