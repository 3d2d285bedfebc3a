import { LimitExceeded } from '../../../extraction-error.ts';

/**
 * Archives may have many small files, and each may ask for a large model of which it touches little: to get memory for each
 * of them would take longer than all else. One buffer that is no longer used is kept, if not much of it was touched. It is used
 * again for the same size only: models of other sizes touch other places of it, until all of it is memory in use.
 */
let idle: ArrayBuffer | null = null;
const MAX_TOUCHED = 16 * 1024 * 1024;

/** So many bytes, whatever is in them. */
export function acquireBuffer(size: number): ArrayBuffer {
  const kept = idle;
  idle = null;
  if (kept?.byteLength === size) return kept;
  free(kept);
  return allocated(size);
}

export function releaseBuffer(buffer: ArrayBuffer, touched: number): void {
  if (touched > MAX_TOUCHED) return free(buffer);
  free(idle);
  idle = buffer;
}

/** At once: the garbage collector may come much later. */
function free(buffer: ArrayBuffer | null): void {
  buffer?.transfer(0);
}

/** What nobody touches takes no memory, but there may be no room for so much. */
function allocated(size: number): ArrayBuffer {
  try {
    return new ArrayBuffer(size);
  } catch {
    throw new LimitExceeded('dictionary');
  }
}
