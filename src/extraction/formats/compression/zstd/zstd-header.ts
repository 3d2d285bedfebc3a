/** The header of a zstd frame: RFC 8878, section 3.1.1.1. */
const FRAME = 0xfd2fb528;
export const MAX_HEADER_LENGTH = 18;
/** The engine reads no frame with a larger one. */
const MAX_WINDOW_SIZE = 2 ** 27;

const IS_SINGLE = 0x20;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4] as const;
const SIZE_BYTES = [0, 2, 4, 8] as const;

/** The window size of a frame (RFC 8878, 3.1.1.1). The maximum, if the header does not specify it. */
export function windowOf(head: Uint8Array): number {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    return view.getUint32(0, true) === FRAME ? Math.min(MAX_WINDOW_SIZE, read(view)) : MAX_WINDOW_SIZE;
  } catch {
    return MAX_WINDOW_SIZE; // the header is truncated, which the engine will report
  }
}

function read(view: DataView): number {
  const descriptor = view.getUint8(4);
  const isSingle = (descriptor & IS_SINGLE) !== 0;
  const window = isSingle ? Number.POSITIVE_INFINITY : windowSize(view.getUint8(5));
  const at = (isSingle ? 5 : 6) + DICTIONARY_ID_BYTES[(descriptor & 3) as 0 | 1 | 2 | 3];
  const bytes = SIZE_BYTES[(descriptor >> 6) as 0 | 1 | 2 | 3];
  return Math.min(window, contentSize(view, at, bytes === 0 && isSingle ? 1 : bytes));
}

function windowSize(code: number): number {
  const base = 2 ** (10 + (code >> 3));
  return base + (base / 8) * (code & 7);
}

function contentSize(view: DataView, at: number, bytes: 0 | 1 | 2 | 4 | 8): number {
  if (bytes === 0) return Number.POSITIVE_INFINITY; // not specified
  if (bytes === 1) return view.getUint8(at);
  if (bytes === 2) return view.getUint16(at, true) + 256;
  return bytes === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}
