import { CorruptInput } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../../formats/byte-queue.ts';
import { Device, type Font } from './device.ts';
import { type HiddenContent, type MetafileRecord, type RecordForm, skip } from './records.ts';
import { RunLines } from './text-run.ts';

const PLACEABLE = 0x9ac6cdd7;
const PLACEABLE_BYTES = 22;
const HEADER_BYTES = 18;

/** [MS-WMF] 2.1.1.1 */
const SAVE = 0x001e;
const MAP_MODE = 0x0103;
const RESTORE = 0x0127;
const SELECT = 0x012d;
const TEXT_ALIGN = 0x012e;
const DELETE = 0x01f0;
const LINE_TO = 0x0213;
const MOVE_TO = 0x0214;
const FONT = 0x02fb;
const TEXT = 0x0521;
const EXTENDED_TEXT = 0x0a32;
/** Origins, extents and scales of window and viewport. */
const MAPPINGS = new Set([MAP_MODE, 0x020b, 0x020c, 0x020d, 0x020e, 0x020f, 0x0211, 0x0410, 0x0412]);
const OTHER_OBJECTS = new Set([0x00f7, 0x0142, 0x01f9, 0x02fa, 0x02fc, 0x06ff]);

const min: Readonly<Record<number, number>> = {
  [RESTORE]: 8,
  [SELECT]: 8,
  [TEXT_ALIGN]: 8,
  [DELETE]: 8,
  [LINE_TO]: 10,
  [MOVE_TO]: 10,
  [FONT]: 20,
  [TEXT]: 8,
  [EXTENDED_TEXT]: 14,
};

const GLYPHS = 0x10;
const WITH_RECTANGLE = 0x06;

export const WMF: RecordForm = {
  name: 'WMF image',
  headBytes: 6,
  head: (bytes) => ({ type: bytes.readUInt16LE(4), size: 2 * bytes.readUInt32LE(0) }),
  end: 0,
  min,
  bitmaps: new Set([0x0922, 0x0940, 0x0b23, 0x0b41, 0x0d33, 0x0f43]),
};

/** Skips what precedes the records: an optional placeable header, and the header. */
export async function skipWmfHeader(queue: ByteQueue): Promise<void> {
  const start = Buffer.from(await queue.take(4));
  queue.unreadLast();
  const isPlaceable = start.length === 4 && start.readUInt32LE(0) === PLACEABLE;
  await skip(queue, (isPlaceable ? PLACEABLE_BYTES : 0) + HEADER_BYTES, WMF.name);
}

/** The lines of text that the records draw. */
export class WmfDrawing {
  readonly #sight: HiddenContent;
  readonly #device = new Device();
  readonly #lines = new RunLines();
  readonly #objects = new WmfObjects();

  constructor(sight: HiddenContent) {
    this.#sight = sight;
  }

  *take({ type, bytes }: MetafileRecord): Generator<string> {
    if (bytes === null) this.#pass(type);
    else if (type === TEXT) yield* this.#text(bytes);
    else if (type === EXTENDED_TEXT) yield* this.#extendedText(bytes);
    else this.#set(type, bytes);
  }

  *end(): Generator<string> {
    yield* this.#lines.end();
  }

  #pass(type: number): void {
    if (type === SAVE) this.#device.save();
    if (MAPPINGS.has(type)) this.#device.remap();
    if (OTHER_OBJECTS.has(type)) this.#objects.add(null);
  }

  #set(type: number, record: Buffer): void {
    const value = record.readInt16LE(6);
    if (type === TEXT_ALIGN) this.#device.align(value);
    if (type === RESTORE) this.#device.restore(value);
    if (type === MOVE_TO || type === LINE_TO) this.#device.moveTo(record.readInt16LE(8), value);
    if (type === FONT) this.#objects.add({ height: value, charset: record[19]! });
    if (type === DELETE) this.#objects.remove(value);
    const font = type === SELECT ? this.#objects.get(value) : null;
    if (font !== null) this.#device.use(font);
  }

  /** Length, letters, position. */
  *#text(record: Buffer): Generator<string> {
    const count = record.readUInt16LE(6);
    const place = 8 + count + (count % 2);
    if (place + 4 > record.length) throw new CorruptInput(WMF.name);
    const text = this.#device.decode(record.subarray(8, 8 + count));
    yield* this.#draw(text, record.readInt16LE(place + 2), record.readInt16LE(place), null);
  }

  /** Position, length, options, optional rectangle, letters, optional widths. */
  *#extendedText(record: Buffer): Generator<string> {
    const count = record.readUInt16LE(10);
    const options = record.readUInt16LE(12);
    const from = (options & WITH_RECTANGLE) === 0 ? 14 : 22;
    if (count === 0) return;
    if (from + count > record.length) throw new CorruptInput(WMF.name);
    if ((options & GLYPHS) !== 0) this.#sight.unseen = true;
    else {
      const text = this.#device.decode(record.subarray(from, from + count));
      const advance = advanceOf(record, from + count + (count % 2), count);
      yield* this.#draw(text, record.readInt16LE(8), record.readInt16LE(6), advance);
    }
  }

  *#draw(text: string, x: number, y: number, advance: number | null): Generator<string> {
    if (text !== '') yield* this.#lines.take(this.#device.draw(text, x, y, advance));
  }
}

/** The sum of the widths of the letters; null: they are not there. */
function advanceOf(record: Buffer, at: number, count: number): number | null {
  if (at + 2 * count > record.length) return null;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += record.readInt16LE(at + 2 * i);
  return sum;
}

/** More than any picture has; beyond it none can be found by its number. */
const MAX_COUNT = 1024;

/** Fonts, pens and other objects. Each gets the lowest number that is free when it is created. */
class WmfObjects {
  /** Null: something else than a font; undefined: free. */
  readonly #objects: (Font | null | undefined)[] = [];

  add(object: Font | null): void {
    const free = this.#objects.indexOf(undefined);
    const index = free === -1 ? this.#objects.length : free;
    if (index < MAX_COUNT) this.#objects[index] = object;
  }

  remove(index: number): void {
    if (index >= 0 && index < this.#objects.length) this.#objects[index] = undefined;
  }

  get(index: number): Font | null {
    return this.#objects[index] ?? null;
  }
}
