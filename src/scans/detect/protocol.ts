/** What crosses between the main thread and a detection thread: keys and outcomes, never content. */
import type { SourceObject } from '../../sources/source.ts';
import type { Inspection } from '../inspection.ts';
import type { InspectorOptions } from './inspector.ts';

export interface ThreadSetup extends InspectorOptions {
  readonly target: string;
  /** See `Pulse`. */
  readonly pulse: SharedArrayBuffer;
}

export interface Batch {
  readonly id: number;
  readonly objects: readonly SourceObject[];
}

/** Most objects are clean: of them only the bytes read are told, in order. The others are told in full, by their place. */
export interface BatchDone {
  readonly id: number;
  readonly bytesRead: Float64Array;
  readonly notable: readonly { readonly place: number; readonly inspection: Inspection }[];
}

/**
 * A thread's signs of life, readable while it is busy or dead: which object of the batch it is at, how much of that it
 * has read, and a count that stands still when the thread hangs.
 */
export class Pulse {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: Int32Array; // place, beats, KiB of the object

  constructor(buffer = new SharedArrayBuffer(12)) {
    this.buffer = buffer;
    this.#cells = new Int32Array(buffer);
  }

  get place(): number {
    return Atomics.load(this.#cells, 0);
  }

  get beats(): number {
    return Atomics.load(this.#cells, 1);
  }

  get bytesOfObject(): number {
    return Atomics.load(this.#cells, 2) * 1024;
  }

  at(place: number): void {
    Atomics.store(this.#cells, 0, place);
    Atomics.store(this.#cells, 2, 0);
    Atomics.add(this.#cells, 1, 1);
  }

  read(bytes: number): void {
    Atomics.add(this.#cells, 2, Math.round(bytes / 1024));
    Atomics.add(this.#cells, 1, 1);
  }
}
