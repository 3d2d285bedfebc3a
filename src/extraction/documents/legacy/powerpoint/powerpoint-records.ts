import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { uint16, uint32 } from '../excel/biff-records.ts';

const CHUNK = 64 * 1024;
const HEAD = 8;
const CONTAINER = 0x0f;
const ENVIRONMENT = 0x3f2;
const TAG_DATA = 0x138b;
/** Written by PowerPoint since 2007: a zip package whose header has the flags of a container. */
const TABLE_STYLES = 0x428;

export interface PowerPointRecord {
  readonly type: number;
  readonly instance: number;
  /** Not inside another. */
  readonly top: boolean;
  readonly at: number;
  /** Its data. */
  readonly from: number;
  readonly to: number;
}

/**
 * The records of a presentation and their children, in stream order: top-level containers, and those of `types` at any depth. Other
 * records are skipped without reading them. Lengths are limited to the enclosing top-level record.
 */
export async function* powerPointRecords(
  stream: RandomAccess,
  range: { readonly from: number; readonly to: number },
  types: ReadonlySet<number>,
): AsyncGenerator<PowerPointRecord> {
  const end = Math.min(range.to, stream.size);
  let topEnd = range.from;
  let damaged = false;
  for (let base = range.from; base + HEAD <= end; ) {
    const bytes = await stream.read(base, Math.min(base + CHUNK, end));
    let i = 0;
    while (i + HEAD <= bytes.length) {
      const at = base + i;
      if (at >= topEnd && isPadding(bytes, i)) {
        i = behindPadding(bytes, i);
        continue;
      }
      const type = uint16(bytes, i + 2);
      const from = at + HEAD;
      const top = at >= topEnd;
      const last = top ? end : topEnd;
      const claimed = from + uint32(bytes, i + 4);
      if (claimed > last) damaged = true;
      const to = Math.min(claimed, last);
      if (top) topEnd = to;
      if (types.has(type) || (top && isContainer(bytes, i)))
        yield { type, instance: uint16(bytes, i) >> 4, top, at, from, to };
      i = (isEntered(type, bytes, i, to - from) ? from : to) - base;
    }
    if (i < HEAD) break;
    base += i;
  }
  if (damaged) throw new CorruptInput('PowerPoint record');
}

/** Settings contain strings that are not user text. */
function isEntered(type: number, bytes: Uint8Array, i: number, length: number): boolean {
  if (type === TAG_DATA) return holdsRecords(bytes, i + HEAD, length);
  return isContainer(bytes, i) && type !== ENVIRONMENT && type !== TABLE_STYLES;
}

/** No record is of type 0. */
function isPadding(bytes: Uint8Array, i: number): boolean {
  return uint32(bytes, i) === 0 && uint32(bytes, i + 4) === 0;
}

/** Some programs begin each save at a round offset. Saves begin with a container, whose first byte is not 0. */
function behindPadding(bytes: Uint8Array, i: number): number {
  let at = i + HEAD;
  while (at < bytes.length && bytes[at] === 0) at++;
  return at;
}

function isContainer(bytes: Uint8Array, i: number): boolean {
  return (bytes[i]! & CONTAINER) === CONTAINER;
}

/** The data of a tag may be anything; comments are records in it. */
function holdsRecords(bytes: Uint8Array, at: number, length: number): boolean {
  const type = uint16(bytes, at + 2);
  return (
    at + HEAD <= bytes.length && type >= 0xf00 && type < 0x3200 && uint32(bytes, at + 4) + HEAD <= length
  );
}
