import type { Transform } from 'node:stream';
import { CorruptInput, type ExtractionError, LimitExceeded } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../byte-queue.ts';

/**
 * Input sizes of one step. While the engine works on a long slice in its own thread, the previous output is processed in ours. The first
 * slice is short, because most members are.
 */
const FIRST_SLICE = 16 * 1024;
const SLICE = 64 * 1024;
/**
 * Not below a stream's high-water mark: each full buffer is taken out before the engine continues, so that no more than one is lost at a
 * corruption.
 */
export const CHUNK_SIZE = 64 * 1024;

type Engine = Transform & { readonly bytesWritten: number };

/**
 * Decompresses one member (frame) with an engine of node:zlib, in lock-step: a slice in, all its output out, the next slice. At the
 * member's end the engine stops, and unused input is put back into the queue.
 */
export async function* inflate(engine: Engine, queue: ByteQueue, what: string): AsyncGenerator<Uint8Array> {
  const watch = watchEngine(engine);
  try {
    for (let given = 0; ; ) {
      const slice = await queue.take(given === 0 ? FIRST_SLICE : SLICE);
      let written = false;
      const done = () => {
        written = true;
        watch.wake();
      };
      if (slice.length > 0) engine.write(slice, done);
      else engine.end();
      while (!watch.ended && !written) {
        yield* drain(engine);
        if (watch.failure !== null) throw toExtractionError(watch.failure, what);
        if (!watch.ended && !written) await watch.change();
      }
      yield* drain(engine);
      given += slice.length;
      // The end event may arrive later than this; unused input reveals the end at once.
      if (watch.ended || engine.bytesWritten < given) return queue.unread(given - engine.bytesWritten);
    }
  } finally {
    engine.destroy();
  }
}

function toExtractionError(failure: string, what: string): ExtractionError {
  // Valid, but requires a larger window than the engine allows: 128 MB.
  if (failure === 'ZSTD_error_frameParameter_windowTooLarge') return new LimitExceeded('zstd window');
  return new CorruptInput(failure === 'Z_BUF_ERROR' ? `truncated ${what}` : what);
}

function* drain(engine: Engine): Generator<Uint8Array> {
  for (let out: unknown = engine.read(); out !== null; out = engine.read()) yield out as Uint8Array;
}

function watchEngine(engine: Engine) {
  const watch = {
    ended: false,
    failure: null as string | null,
    wake: () => {},
    change: () => new Promise<void>((resolve) => (watch.wake = resolve)),
  };
  engine.on('readable', () => watch.wake());
  engine.on('end', () => {
    watch.ended = true;
    watch.wake();
  });
  engine.on('error', (error: NodeJS.ErrnoException) => {
    watch.failure = error.code ?? 'unknown';
    watch.wake();
  });
  return watch;
}
