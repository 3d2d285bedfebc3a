/** OCR runs in a thread of its own that is started for the first picture, kept for the next ones, and holds up no exit. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Worker as Thread } from 'node:worker_threads';
import type { Worker } from 'tesseract.js';
import { Damage, Limit, Unsupported } from '../../obstacle.ts';
import { dimensionsOf } from './dimensions.ts';
import { pictureKind } from './kind.ts';
import { pixelsOfBitmap, pnmOf } from './pixels.ts';

interface Engine {
  readonly worker: Worker;
  readonly thread: Thread;
  /** Fails when the thread dies, which the library doesn't notice. */
  readonly death: Promise<never>;
}

const MOST_PIXELS = 100_000_000;
/** Nothing can be read in less. */
const LEAST_SIDE = 8;
const UNREADABLE = 'Error: Error attempting to read image.';

let running: Promise<Engine> | null = null;

/** The text of a picture as a file has it; none where nothing can be read. */
export async function recognize(picture: Uint8Array): Promise<string> {
  const kind = pictureKind(picture);
  if (kind === null) throw new Unsupported('picture');
  if (kind === 'HEIC image' || kind === 'AVIF image') throw new Unsupported(kind);
  const { width, height } = await dimensionsOf(picture, kind);
  if (width * height > MOST_PIXELS) throw new Limit('picture size');
  if (width < LEAST_SIDE || height < LEAST_SIDE) return '';
  // The library's own way to read bitmaps takes hundreds of bytes for each of theirs.
  return await read(kind === 'BMP image' ? pnmOf(pixelsOfBitmap(picture)) : picture, `${kind}`);
}

export async function closeOcr(): Promise<void> {
  const closing = running;
  running = null;
  const engine = await closing?.catch(() => null);
  await engine?.thread.terminate();
}

async function read(picture: Uint8Array, what: string): Promise<string> {
  running ??= start();
  const { worker, thread, death } = await running;
  thread.ref();
  try {
    const { data } = await Promise.race([
      worker.recognize(Buffer.from(picture.buffer, picture.byteOffset, picture.length)),
      death,
    ]);
    return data.text;
  } catch (error) {
    // After any other failure nobody knows in what state the engine is.
    if (error !== UNREADABLE) await closeOcr();
    throw new Damage(what);
  } finally {
    thread.unref();
  }
}

async function start(): Promise<Engine> {
  const { createWorker, OEM } = await import('tesseract.js');
  const languages = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'));
  const worker = await createWorker('eng', OEM.LSTM_ONLY, {
    langPath: join(languages, '4.0.0_best_int'),
    cacheMethod: 'none',
    // Without one, an unreadable picture ends the process; the failure also comes as a rejection.
    errorHandler: () => undefined,
  });
  const { worker: thread } = worker as Worker & { readonly worker: Thread };
  const death = new Promise<never>((_, reject) => thread.once('error', reject));
  death.catch(() => undefined);
  thread.unref();
  return { worker, thread, death };
}
