/**
 * Progress on stderr. A terminal gets one line, redrawn in place and erased at the end; a log gets a plain line every ten seconds, so
 * that a long scan is not taken for a hung one. The timer does not keep the process alive.
 */
import type { Writable } from 'node:stream';
import { unguarded } from '../terminal-guard.ts';
import type { TerminalStyle } from '../terminal-style.ts';
import { etaRange, type Sample } from './eta.ts';
import {
  type ProgressRate,
  type ProgressState,
  progressLine,
  progressSentence,
  workOf,
} from './progress-line.ts';

export type { ProgressState } from './progress-line.ts';

export interface Progress {
  update(state: ProgressState): void;
  stop(): void;
}

interface Options {
  readonly quiet?: boolean;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** Calls `tick` repeatedly until the returned function is called. */
  readonly every?: (ms: number, tick: () => void) => () => void;
}

const REDRAW_MS = 100;
const LINE_MS = 10_000;
const SAMPLE_MS = 500;
const WINDOW_MS = 60_000;
/** Time constant of the exponential smoothing. */
const SMOOTHING_MS = 5000;
const ERASE = '\r\x1b[2K';

export function createProgress(
  stream: Writable & { readonly isTTY?: boolean | undefined },
  style: TerminalStyle,
  { quiet = false, now = () => performance.now(), every = unrefInterval }: Options = {},
): Progress {
  if (quiet) return { update() {}, stop() {} };
  const meter = new RateMeter();
  const redraws = stream.isTTY === true;
  const intervalMs = redraws ? REDRAW_MS : LINE_MS;
  const write = unguarded(stream);
  let state: ProgressState | null = null;
  let drawnAt = redraws ? Number.NEGATIVE_INFINITY : now();
  let ticks = 0;
  let drawn = false;

  function draw(): void {
    // A reader that does not keep up (a stopped terminal) must not fill the write buffer.
    if (state === null || now() - drawnAt < intervalMs || stream.writableNeedDrain) return;
    drawnAt = now();
    // Also without an update: a stall must show as a falling rate.
    meter.add(state, drawnAt);
    const rate = meter.rate(state);
    if (redraws) write(ERASE + progressLine(state, rate, style, ticks++));
    else stream.write(`${progressSentence(state, rate)}\n`);
    drawn = true;
  }

  const stopTicking = every(REDRAW_MS, draw);
  return {
    update(next) {
      state = next;
      meter.add(next, now());
      draw();
    },
    stop() {
      stopTicking();
      state = null;
      if (redraws && drawn) write(ERASE);
      drawn = false;
    },
  };
}

/** Computes the current rates and the ETA from recent samples. */
class RateMeter {
  #samples: (Sample & { readonly objects: number; readonly bytes: number })[] = [];
  #objectsPerSecond: number | null = null;
  #bytesPerSecond: number | null = null;
  #unit: 'bytes' | 'objects' | null = null;

  add(state: ProgressState, at: number): void {
    if (state.phase !== 'scanning') return;
    const { done, unit } = workOf(state);
    // Samples counted in objects cannot be compared with bytes.
    if (unit !== this.#unit) this.#samples = [];
    this.#unit = unit;
    const last = this.#samples.at(-1);
    if (last !== undefined && at - last.at < SAMPLE_MS) return;
    if (last !== undefined)
      this.#smooth(at - last.at, state.objects - last.objects, state.bytes - last.bytes);
    this.#samples = this.#samples.filter((sample) => at - sample.at <= WINDOW_MS);
    this.#samples.push({ at, done, objects: state.objects, bytes: state.bytes });
  }

  rate(state: ProgressState): ProgressRate {
    const { done, total } = workOf(state);
    return {
      objectsPerSecond: this.#objectsPerSecond ?? 0,
      bytesPerSecond: this.#bytesPerSecond ?? 0,
      eta: total === null ? null : etaRange(this.#samples, total - done),
    };
  }

  #smooth(ms: number, objects: number, bytes: number): void {
    const weight = 1 - Math.exp(-ms / SMOOTHING_MS);
    this.#objectsPerSecond = blend(this.#objectsPerSecond, (objects / ms) * 1000, weight);
    this.#bytesPerSecond = blend(this.#bytesPerSecond, (bytes / ms) * 1000, weight);
  }
}

function blend(before: number | null, now: number, weight: number): number {
  return before === null ? now : before + weight * (now - before);
}

function unrefInterval(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms).unref();
  return () => clearInterval(timer);
}
