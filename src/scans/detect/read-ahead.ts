/**
 * Objects of a remote source take their time to come, so a thread asks for several at once and looks at them in order.
 * Small ones only: what is large streams by itself. Bounded by their number and by their bytes.
 */
import type { Source, SourceObject } from '../../sources/source.ts';

/** Up to here an object is fetched whole. */
export const MAX_READ_AHEAD_OBJECT_BYTES = 1 << 20;
const MAX_BYTES = 32 << 20;

/** The bytes, or why they did not come. */
export type Fetched = { readonly bytes: Uint8Array } | { readonly error: unknown };

export class ReadAhead {
  readonly #maxConcurrent: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #bytes = 0;

  constructor(max: number) {
    this.#maxConcurrent = max;
  }

  /** Begins when its turn comes. Never rejects: the answer may be looked at much later. */
  async fetch(source: Source, object: SourceObject, signal: AbortSignal): Promise<Fetched> {
    while (
      this.#running >= this.#maxConcurrent ||
      (this.#running > 0 && this.#bytes + object.size > MAX_BYTES)
    )
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    this.#bytes += object.size;
    try {
      return { bytes: await wholeOf(source, object, signal) };
    } catch (error) {
      return { error };
    } finally {
      this.#running--;
      this.#bytes -= object.size;
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }
}

async function wholeOf(source: Source, object: SourceObject, signal: AbortSignal): Promise<Uint8Array> {
  const whole = new Uint8Array(object.size);
  let at = 0;
  for await (const piece of source.read(object, null, signal)) {
    whole.set(piece, at); // a source never gives more than the object's size
    at += piece.length;
  }
  return whole.subarray(0, at);
}
