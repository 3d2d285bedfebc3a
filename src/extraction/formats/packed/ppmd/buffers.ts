import { Limit } from '../../../obstacle.ts';

/**
 * Archives may have many small files, and each may ask for a large model of which it touches little: to get memory for each
 * of them would take longer than all else. One buffer that is no longer used is kept, if not much of it was touched.
 */
let idle: ArrayBuffer | null = null;
const MOST_TOUCHED = 16 * 1024 * 1024;

/** So many bytes at least, whatever is in them. */
export function borrowBuffer(size: number): ArrayBuffer {
  const kept = idle;
  idle = null;
  return kept !== null && kept.byteLength >= size ? kept : allocated(size);
}

export function giveBackBuffer(buffer: ArrayBuffer, touched: number): void {
  if (touched <= MOST_TOUCHED) idle = buffer;
}

/** What nobody touches takes no memory, but there may be no room for so much. */
function allocated(size: number): ArrayBuffer {
  try {
    return new ArrayBuffer(size);
  } catch {
    throw new Limit('dictionary');
  }
}
