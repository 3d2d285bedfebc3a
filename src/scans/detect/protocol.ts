/** Messages between the main thread and a detection thread: keys and outcomes, never content. */
import { type ErrorKind, SeineError } from '../../base/errors.ts';
import type { RequestKind } from '../../sources/request-gate.ts';
import type { SourceSettings } from '../../sources/settings.ts';
import type { InitialState, SourceObject } from '../../sources/source.ts';
import type { Inspection } from '../results/inspection.ts';
import type { InspectorOptions } from './inspector.ts';

export interface ThreadSetup {
  /** See `ThreadHeartbeat`. */
  readonly pulse: SharedArrayBuffer;
  /** Objects of a remote source that are fetched concurrently. */
  readonly readsAtOnce: number;
  /**
   * The shared state of the reader processes of all threads (`SharedReaders`), and the slot of this thread
   * in it.
   */
  readonly readers: SharedArrayBuffer;
  readonly place: number;
}

/** What a thread needs to know of a scan before its first object. */
export interface ScanSetup extends InspectorOptions {
  readonly target: string;
  readonly settings?: SourceSettings;
  readonly initialState?: InitialState;
}

export interface Batch {
  readonly is: 'batch';
  readonly id: number;
  readonly scan: number;
  readonly objects: readonly SourceObject[];
}

export type ToThread =
  /** `gated`: reads require admission by the gate. */
  | { readonly is: 'open'; readonly scan: number; readonly setup: ScanSetup; readonly gated: boolean }
  | { readonly is: 'close'; readonly scan: number }
  | Batch
  /** The reply to a gate request. */
  | { readonly is: 'gate'; readonly id: number; readonly passed: boolean };

/**
 * Most objects are clean: for them only the bytes read are sent, in order. The others are sent in full, by
 * index.
 */
export interface BatchDone {
  readonly is: 'done';
  readonly id: number;
  readonly bytesRead: Float64Array;
  readonly notable: readonly { readonly place: number; readonly inspection: Inspection }[];
  /** Indexes of objects that were not inspected because the gate is closed: the scan is being stopped. */
  readonly stopped: readonly number[];
}

export type FromThread =
  | { readonly is: 'up' }
  | BatchDone
  /** The source could not be opened, or it rejected the credential. */
  | { readonly is: 'failed'; readonly id: number; readonly error: SerializedError }
  | {
      readonly is: 'ask';
      readonly id: number;
      readonly scan: number;
      readonly kind: RequestKind;
      readonly bytes: number;
    }
  | { readonly is: 'throttled'; readonly scan: number; readonly retryAfterMs: number | null };

/** A serialized SeineError. */
export interface SerializedError {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint: string | undefined;
  readonly retry: boolean;
}

export function deserializeError({ kind, message, hint, retry }: SerializedError): SeineError {
  return new SeineError(kind, message, { retry, ...(hint !== undefined && { hint }) });
}

/**
 * A thread's heartbeat in shared memory, readable while the thread is busy or dead: the index of the
 * current object in its batch, how much of it was read, and a counter that stops when the thread hangs.
 */
export class ThreadHeartbeat {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: Int32Array; // index, beats, KiB of the object

  constructor(buffer = new SharedArrayBuffer(12)) {
    this.buffer = buffer;
    this.#cells = new Int32Array(buffer);
  }

  get index(): number {
    return Atomics.load(this.#cells, 0);
  }

  get beats(): number {
    return Atomics.load(this.#cells, 1);
  }

  get bytesOfObject(): number {
    return Atomics.load(this.#cells, 2) * 1024;
  }

  startObject(index: number): void {
    Atomics.store(this.#cells, 0, index);
    Atomics.store(this.#cells, 2, 0);
    this.beat();
  }

  addBytes(bytes: number): void {
    Atomics.add(this.#cells, 2, Math.round(bytes / 1024));
    this.beat();
  }

  /** Signals that the thread is alive, though no bytes have arrived. */
  beat(): void {
    Atomics.add(this.#cells, 1, 1);
  }
}
