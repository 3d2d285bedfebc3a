/**
 * Fetches several objects of a remote source concurrently, to hide latency; they are inspected in order.
 * Small objects only: large ones are streamed. Bounded by number and by bytes.
 */
import type { Source, SourceObject } from '../../sources/source.ts';

/** Objects up to this size are fetched whole. */
export const MAX_READ_AHEAD_OBJECT_BYTES = 1 << 20;
const MAX_BYTES = 32 << 20;

/** The bytes, or the error of the fetch. */
export type Fetched = { readonly bytes: Uint8Array } | { readonly error: unknown };

export class ReadAhead {
  readonly #maxConcurrent: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #bytes = 0;

  constructor(max: number) {
    this.#maxConcurrent = max;
  }

  /**
   * Starts when a slot is free. Never rejects, because the result may be awaited much later: an unhandled
   * rejection would end the thread.
   */
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
  for await (const chunk of source.read(object, null, signal)) {
    whole.set(chunk, at); // a source never returns more than the object's size
    at += chunk.length;
  }
  return whole.subarray(0, at);
}
