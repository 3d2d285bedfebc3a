/**
 * Replaces platform functions that the PDF library uses. The library continues after most errors and only warns, so missing text is known
 * from its warnings alone. And it inflates without a limit, so that a stream of a few KB could exhaust memory.
 */
import { createInflateRaw, inflateSync } from 'node:zlib';
import { DEFAULT_LIMITS } from '../../../budget/limits.ts';

export interface PdfListener {
  /** The library's own words. */
  warned(message: string): void;
  inflated(bytes: number): void;
  /** Something that will be needed can't be read, or not to its end. */
  broken(what: string): void;
  /** The output was truncated at a limit. `what`: the limit. */
  cut(what: string): void;
}

export const MAX_INFLATED = 128 * 1024 * 1024;
const ZLIB_HEADER = 2;
const CHECKSUM = 4;
const LOG_MESSAGE = /^(?:Warning|Info): ([\s\S]*)$/;

const listeners = new Set<PdfListener>();
let arranged = false;

/** From now on until the answer is called. The library runs in this thread, so concurrent readers are notified as well. */
export function listen(pattern: PdfListener): () => void {
  arrange();
  if (listeners.size === 0) process.on('unhandledRejection', excuse);
  listeners.add(pattern);
  return () => {
    listeners.delete(pattern);
    if (listeners.size === 0) process.off('unhandledRejection', excuse);
  };
}

/** The library prefetches some objects and ignores whether that failed. */
function excuse(reason: unknown): void {
  if (!(reason instanceof Error) || reason.stack?.includes('/unpdf/') !== true) throw reason;
  notifyListeners((pattern) => pattern.broken('PDF object'));
}

export function notifyListeners(what: (pattern: PdfListener) => void): void {
  for (const pattern of listeners) what(pattern);
}

function arrange(): void {
  if (arranged) return;
  arranged = true;
  for (const level of ['warn', 'info'] as const) {
    // biome-ignore lint/suspicious/noConsole: nothing is written to it; the library's words are taken from it
    const original = console[level];
    console[level] = (...words: unknown[]) => {
      const [message] = words;
      const spoken = typeof message === 'string' && listeners.size > 0 ? LOG_MESSAGE.exec(message) : null;
      if (spoken === null) original(...words);
      else notifyListeners((pattern) => pattern.warned(spoken[1]!));
    };
  }
  const Original = globalThis.DecompressionStream;
  // Other callers get the real class.
  const replaced = function replaced(format: 'deflate' | 'gzip') {
    return format === 'deflate' && listeners.size > 0 ? new BoundedInflation() : new Original(format);
  };
  Object.assign(globalThis, { DecompressionStream: replaced, structuredClone: sharedMessages() });
}

/**
 * The library sends messages to itself, ten for each page. Nothing is done to them after that, so they need not be copied: but for its
 * own chunks of text, which it fills again.
 */
function sharedMessages(): typeof structuredClone {
  const original = globalThis.structuredClone;
  return function shared<T>(value: T, options?: Parameters<typeof structuredClone>[1] | null): T {
    const isShared = !options && listeners.size > 0 && isMessage(value) && !isRefilled(value.chunk);
    return isShared ? value : original(value, options ?? undefined);
  };
}

function isMessage(value: unknown): value is { readonly chunk?: unknown } {
  return typeof value === 'object' && value !== null && 'targetName' in value;
}

function isRefilled(chunk: unknown): boolean {
  return typeof chunk === 'object' && chunk !== null && !('text' in chunk);
}

/** The part of a stream's interface that the library uses. Synchronous, because most streams are small. */
class BoundedInflation {
  #compressed = new Uint8Array(0);

  readonly writable = {
    getWriter: () => ({
      ready: Promise.resolve(),
      write: (compressed: Uint8Array<ArrayBuffer>) => {
        this.#compressed = compressed;
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    }),
  };

  readonly readable = { [Symbol.asyncIterator]: () => this.#inflate() };

  async *#inflate(): AsyncGenerator<Uint8Array> {
    const max = Math.min(MAX_INFLATED, longest(this.#compressed.length));
    const whole = inflateAtOnce(this.#compressed, max);
    if (whole === null) {
      yield* inflateInTurns(this.#compressed.subarray(ZLIB_HEADER), max);
      return;
    }
    notifyListeners((pattern) => pattern.inflated(whole.length));
    yield whole;
  }
}

function longest(compressed: number): number {
  const { ratio, ratioFloor } = DEFAULT_LIMITS;
  return Math.max(ratioFloor, ratio * compressed);
}

function inflateAtOnce(compressed: Uint8Array, max: number): Uint8Array | null {
  try {
    return inflateSync(compressed, { maxOutputLength: max });
  } catch {
    return null;
  }
}

/** What there is before the end, the bound or the damage. Without header and checksum: viewers don't miss them. */
async function* inflateInTurns(compressed: Uint8Array, max: number): AsyncGenerator<Uint8Array> {
  const engine = createInflateRaw();
  engine.end(compressed);
  let length = 0;
  try {
    for await (const bytes of engine as AsyncIterable<Uint8Array>) {
      const kept = bytes.subarray(0, max - length);
      length += kept.length;
      notifyListeners((pattern) => pattern.inflated(kept.length));
      yield kept;
      if (kept.length === bytes.length) continue;
      notifyListeners((pattern) =>
        pattern.cut(max === MAX_INFLATED ? 'decompressed size' : 'compression ratio'),
      );
      return;
    }
    // It is all there, so the checksum is wrong, or was forgotten.
    if (compressed.length - engine.bytesWritten >= CHECKSUM)
      notifyListeners((pattern) => pattern.broken('PDF stream'));
  } catch {
    notifyListeners((pattern) => pattern.broken('PDF stream'));
  }
}
