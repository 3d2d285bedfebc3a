import { CorruptInput } from '../../../extraction-error.ts';
import { Device, type Font } from './device.ts';
import { EmfPlus } from './emf-plus.ts';
import type { HiddenContent, MetafileRecord, RecordForm } from './records.ts';
import { RunLines, type TextRun } from './text-run.ts';

/** [MS-EMF] 2.1.1 */
const WINDOW_EXTENT = 9;
const VIEWPORT_ORIGIN = 12;
const MAP_MODE = 17;
const TEXT_ALIGN = 22;
const MOVE_TO = 27;
const SAVE = 33;
const RESTORE = 34;
const SET_TRANSFORM = 35;
const CHANGE_TRANSFORM = 36;
const SELECT = 37;
const DELETE = 40;
const LINE_TO = 54;
const COMMENT = 70;
const FONT = 82;
const NARROW_TEXT = 83;
const WIDE_TEXT = 84;
const NARROW_TEXTS = 96;
const WIDE_TEXTS = 97;
const SMALL_TEXT = 108;

const min: Readonly<Record<number, number>> = {
  [TEXT_ALIGN]: 12,
  [MOVE_TO]: 16,
  [RESTORE]: 12,
  [SELECT]: 12,
  [DELETE]: 12,
  [LINE_TO]: 16,
  [COMMENT]: 12,
  [FONT]: 36,
  [NARROW_TEXT]: 60,
  [WIDE_TEXT]: 60,
  [NARROW_TEXTS]: 40,
  [WIDE_TEXTS]: 40,
  [SMALL_TEXT]: 36,
};

const GLYPHS = 0x10;
const NO_RECTANGLE = 0x100;
const SMALL_CHARACTERS = 0x200;
const MAX_FONTS = 4096;
const TEXT_BYTES = 40;

export const EMF: RecordForm = {
  name: 'EMF image',
  headBytes: 8,
  head: (bytes) => ({ type: bytes.readUInt32LE(0), size: bytes.readUInt32LE(4) }),
  end: 14,
  min,
  bitmaps: new Set([76, 77, 78, 79, 80, 81, 114, 116]),
};

/** The lines of text that the records draw. */
export class EmfDrawing {
  readonly #sight: HiddenContent;
  readonly #device = new Device();
  readonly #lines = new RunLines();
  readonly #fonts = new Map<number, Font>();
  readonly #plus: EmfPlus;

  constructor(sight: HiddenContent) {
    this.#sight = sight;
    this.#plus = new EmfPlus(sight);
  }

  *take({ type, bytes }: MetafileRecord): Generator<string> {
    if (bytes === null) this.#pass(type);
    else if (type === COMMENT) yield* this.#comment(bytes);
    else if (type === WIDE_TEXT || type === NARROW_TEXT) yield* this.#text(bytes, 36, type === WIDE_TEXT);
    else if (type === WIDE_TEXTS || type === NARROW_TEXTS) yield* this.#texts(bytes, type === WIDE_TEXTS);
    else if (type === SMALL_TEXT) yield* this.#smallText(bytes);
    else this.#set(type, bytes);
  }

  *end(): Generator<string> {
    for (const line of this.#lines.end()) yield this.#emitLine(line);
    yield* this.#plus.end();
  }

  #pass(type: number): void {
    if (type === SAVE) this.#device.save();
    const moves = (type >= WINDOW_EXTENT && type <= VIEWPORT_ORIGIN) || type === MAP_MODE;
    if (moves || type === SET_TRANSFORM || type === CHANGE_TRANSFORM) this.#device.remap();
  }

  #set(type: number, record: Buffer): void {
    const value = record.readInt32LE(8);
    if (type === TEXT_ALIGN) this.#device.align(value);
    if (type === RESTORE) this.#device.restore(value);
    if (type === MOVE_TO || type === LINE_TO) this.#device.moveTo(value, record.readInt32LE(12));
    if (type === DELETE) this.#fonts.delete(value);
    if (type === FONT && this.#fonts.size < MAX_FONTS)
      this.#fonts.set(value, { height: record.readInt32LE(12), charset: record[35]! });
    const font = type === SELECT ? this.#fonts.get(value) : undefined;
    if (font !== undefined) this.#device.use(font);
  }

  *#comment(record: Buffer): Generator<string> {
    if (record.toString('latin1', 12, 16) !== 'EMF+') return;
    const end = 12 + record.readUInt32LE(8);
    if (end > record.length) throw damage();
    yield* this.#plus.take(record.subarray(16, end));
  }

  *#texts(record: Buffer, wide: boolean): Generator<string> {
    const count = record.readUInt32LE(36);
    if (40 + TEXT_BYTES * count > record.length) throw damage();
    let letters = 0;
    for (let i = 0; i < count; i++) {
      const at = 40 + TEXT_BYTES * i;
      // Many that share their letters would become endless text.
      letters += record.readUInt32LE(at + 8);
      if (letters > record.length) throw damage();
      yield* this.#text(record, at, wide);
    }
  }

  /** `at`: its descriptor. The letters are elsewhere in the record. */
  *#text(record: Buffer, at: number, wide: boolean): Generator<string> {
    const count = record.readUInt32LE(at + 8);
    const from = record.readUInt32LE(at + 12);
    const options = record.readUInt32LE(at + 16);
    const to = from + count * (wide ? 2 : 1);
    if (count === 0) return;
    if (to > record.length) throw damage();
    if ((options & GLYPHS) !== 0) {
      this.#sight.unseen = true;
      return;
    }
    const widths = at + ((options & NO_RECTANGLE) === 0 ? 36 : 20);
    const advance = widths + 4 > record.length ? null : advanceOf(record, record.readUInt32LE(widths), count);
    const bytes = record.subarray(from, to);
    const text = wide ? bytes.toString('utf16le') : this.#device.decode(bytes);
    yield* this.#draw(this.#device.draw(text, record.readInt32LE(at), record.readInt32LE(at + 4), advance));
  }

  *#smallText(record: Buffer): Generator<string> {
    const count = record.readUInt32LE(16);
    const options = record.readUInt32LE(20);
    const small = (options & SMALL_CHARACTERS) !== 0;
    const from = (options & NO_RECTANGLE) === 0 ? 52 : 36;
    const to = from + count * (small ? 1 : 2);
    if (to > record.length) throw damage();
    if ((options & GLYPHS) !== 0) this.#sight.unseen = true;
    else {
      const text = record.subarray(from, to).toString(small ? 'latin1' : 'utf16le');
      yield* this.#draw(this.#device.draw(text, record.readInt32LE(8), record.readInt32LE(12), null));
    }
  }

  *#draw(run: TextRun): Generator<string> {
    for (const line of this.#lines.take(run)) yield this.#emitLine(line);
  }

  #emitLine(line: string): string {
    this.#plus.lineDrawn(line);
    return line;
  }
}

function damage(): CorruptInput {
  return new CorruptInput(EMF.name);
}

/** The sum of the widths of the letters; null: they are not there. */
function advanceOf(record: Buffer, at: number, count: number): number | null {
  if (at < 8 || at + 4 * count > record.length) return null;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += record.readInt32LE(at + 4 * i);
  return sum;
}
