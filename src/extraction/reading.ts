import type { Reading, Sort, TextSink } from './extraction.ts';

/** Takes the bytes of one thing as they come and says at the end what became of it. */
export interface Intake {
  /** The first push must bring more than HEAD_BYTES, or everything: kinds and headers are decided on it. */
  push(bytes: Uint8Array): void;
  end(): Reading;
  /** What was inside and is not read in passing, in order. Taken while no text is open, and after `end`. */
  takeHeld?(): readonly Held[];
  /** A text has begun and not ended: what is held must wait. */
  readonly open?: boolean;
}

/** An attachment that needs a reader of its own. */
export interface Held {
  readonly name: string;
  readonly bytes: readonly Uint8Array[];
}

/** Where a text stands: the part's name, and where in the object it begins. */
export interface Place {
  readonly part: string | null;
  readonly start: number;
  readonly sink: TextSink;
}

/** So much is looked at before anything is decided, however the bytes arrive. */
export const HEAD_BYTES = 64 * 1024;

const whole = new Map<Sort, Reading>();

/** Shared objects: most files end here. */
export function read(format: Sort): Reading {
  const known = whole.get(format);
  if (known !== undefined) return known;
  const reading: Reading = { state: 'read', format };
  whole.set(format, reading);
  return reading;
}

// Whatever stops extraction lies in the bytes themselves; failures of the source are thrown, never turned into a reading.
export function partial(reason: string, format: Sort): Reading {
  return { state: 'partial', reason, format, stable: true };
}

export function skipped(reason: string): Reading {
  return { state: 'skipped', reason, stable: true };
}
