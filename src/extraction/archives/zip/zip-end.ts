import type { RandomAccess } from '../../document-item.ts';
import { CorruptInput, MULTI_VOLUME, Unsupported } from '../../extraction-error.ts';
import { viewOf } from './zip-fields.ts';

const END = 0x06054b50;
const END_SIZE = 22;
const MAX_COMMENT_LENGTH = 0xffff;
const LOCATOR = 0x07064b50;
const LOCATOR_SIZE = 20;
const END64 = 0x06064b50;
const END64_SIZE = 56;
const WIDE = 0xffff;

/** It is not there, mostly because the end of the file is not: the members may be. */
export class CorruptDirectory extends CorruptInput {
  constructor() {
    super('zip directory');
  }
}

export interface DirectoryLocation {
  readonly count: number;
  readonly from: number;
  readonly to: number;
  /** The archive may be preceded by other data, such as a self-extractor: offsets are relative to this position. */
  readonly shift: number;
}

/** Locates the central directory by the end-of-central-directory record. */
export async function findDirectory(input: RandomAccess): Promise<DirectoryLocation> {
  const start = Math.max(0, input.size - END_SIZE - MAX_COMMENT_LENGTH - LOCATOR_SIZE - END64_SIZE);
  const tail = viewOf(await input.read(start, input.size));
  const at = lastEnd(tail);
  if (at === -1) throw new CorruptDirectory();
  if (isOfSeveral(tail, at)) throw new Unsupported(MULTI_VOLUME);
  const end = {
    at: start + at,
    count: tail.getUint16(at + 10, true),
    size: tail.getUint32(at + 12, true),
    offset: tail.getUint32(at + 16, true),
  };
  const wide = at >= LOCATOR_SIZE && tail.getUint32(at - LOCATOR_SIZE, true) === LOCATOR;
  const { at: to, size, offset, count } = wide ? await readEnd64(input, start + at - LOCATOR_SIZE) : end;
  const from = to - size;
  if (from < 0 || offset > from) throw new CorruptDirectory();
  return { count, from, to, shift: from - offset };
}

/** Whether these are the last bytes of the last one of several files. */
export function endOfSeveral(bytes: Uint8Array): boolean {
  const tail = viewOf(bytes);
  const at = lastEnd(tail);
  return at !== -1 && isOfSeveral(tail, at);
}

function isOfSeveral(tail: DataView, at: number): boolean {
  const file = tail.getUint16(at + 4, true);
  return file !== 0 && file !== WIDE;
}

/** A comment may follow the record, and something foreign may follow that. */
function lastEnd(tail: DataView): number {
  for (let at = tail.byteLength - END_SIZE; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END) continue;
    if (at + END_SIZE + tail.getUint16(at + 20, true) <= tail.byteLength) return at;
  }
  return -1;
}

/**
 * The zip64 record directly precedes its locator unless it was extended; then the locator has its offset, which is correct if nothing was
 * prepended.
 */
async function readEnd64(input: RandomAccess, locator: number) {
  const said = viewOf(await input.read(locator, locator + LOCATOR_SIZE)).getBigUint64(8, true);
  for (const at of [locator - END64_SIZE, Number(said)]) {
    if (at < 0 || at + END64_SIZE > locator) continue;
    const view = viewOf(await input.read(at, at + END64_SIZE));
    if (view.byteLength < END64_SIZE || view.getUint32(0, true) !== END64) continue;
    return {
      at,
      count: Number(view.getBigUint64(32, true)),
      size: Number(view.getBigUint64(40, true)),
      offset: Number(view.getBigUint64(48, true)),
    };
  }
  throw new CorruptDirectory();
}
