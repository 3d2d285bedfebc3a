import { LimitExceeded } from '../../../extraction-error.ts';

/**
 * Keeps one unused buffer for reuse. Archives may have many small files, each with a large model of which it uses little, and allocating
 * memory for each would dominate the cost. A buffer is kept only if little of it was touched, and reused for the same size only: models
 * of other sizes would touch other pages, until all of it is resident.
 */
let idle: ArrayBuffer | null = null;
const MAX_TOUCHED = 16 * 1024 * 1024;

/** A buffer of this size with arbitrary content. */
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

/** Frees it at once; garbage collection may be much later. */
function free(buffer: ArrayBuffer | null): void {
  buffer?.transfer(0);
}

/** Untouched pages take no memory, but the address space may be exhausted. */
function allocated(size: number): ArrayBuffer {
  try {
    return new ArrayBuffer(size);
  } catch {
    throw new LimitExceeded('dictionary');
  }
}
