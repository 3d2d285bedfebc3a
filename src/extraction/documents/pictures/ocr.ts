/**
 * OCR by the WebAssembly build of Tesseract, loaded for the first picture and reused. Runs in this thread: the reader process may not
 * start threads, and has nothing else to do meanwhile.
 */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { CorruptInput, LimitExceeded, Unsupported } from '../../extraction-error.ts';
import { dimensionsOf } from './dimensions.ts';
import { pictureType } from './picture-type.ts';
import { pixelsOfBitmap, pnmOf } from './pixels.ts';

/** What we use of the library, which describes only its own worker threads. */
interface Core {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void };
  readonly TessBaseAPI: new () => Api;
}

interface Api {
  /** -1: the language could not be loaded. */
  Init(path: null, language: string, mode: number): number;
  /** Reads `/input`. 1: it is no picture. */
  SetImageFile(orientation: number, angle: number): number;
  Recognize(monitor: null): number;
  GetUTF8Text(): string;
  End(): void;
}

type Factory = (options: Record<string, () => void>) => Promise<Core>;
type GetCore = (mode: number, path: null, on: { progress(): void }) => Promise<Factory>;

interface Engine {
  readonly core: Core;
  readonly api: Api;
}

const NEURAL_NETWORK_ONLY = 1;
const MAX_PIXELS = 100_000_000;
/** Nothing can be read in less. */
const MIN_SIDE = 8;

let running: Promise<Engine> | null = null;

/** The text of a picture as a file has it; none where nothing can be read. */
export async function recognize(picture: Uint8Array): Promise<string> {
  const type = pictureType(picture);
  if (type === null) throw new Unsupported('picture');
  if (type === 'HEIC image' || type === 'AVIF image') throw new Unsupported(type);
  const { width, height } = await dimensionsOf(picture, type);
  if (width * height > MAX_PIXELS) throw new LimitExceeded('picture size');
  if (width < MIN_SIDE || height < MIN_SIDE) return '';
  // The library's own bitmap decoder takes hundreds of bytes per input byte.
  return await read(type === 'BMP image' ? pnmOf(pixelsOfBitmap(picture)) : picture, `${type}`);
}

export async function closeOcr(): Promise<void> {
  const closing = running;
  running = null;
  const engine = await closing?.catch(() => null);
  engine?.api.End();
}

async function read(picture: Uint8Array, what: string): Promise<string> {
  running ??= start();
  const { core, api } = await running.catch((error: unknown) => {
    running = null;
    throw error;
  });
  try {
    core.FS.writeFile('/input', picture);
    if (api.SetImageFile(orientationOf(picture), 0) !== 1) {
      api.Recognize(null);
      return api.GetUTF8Text();
    }
  } catch (error) {
    running = null; // the state of the engine is unknown
    if (/memory|enlarge/i.test(String(error))) throw new LimitExceeded('memory');
  }
  throw new CorruptInput(what);
}

/** The Exif orientation of a JPEG: 1 is upright. */
function orientationOf(picture: Uint8Array): number {
  const head = Buffer.from(picture.subarray(0, 500));
  const at = head.indexOf(ORIENTATION);
  const value = at === -1 ? 1 : (head[at + ORIENTATION.length] ?? 1);
  return value >= 1 && value <= 8 ? value : 1;
}

const ORIENTATION = Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0]);

async function start(): Promise<Engine> {
  // Installed by the main process before the scan: a reader process has no network and may not write.
  const { getCore, englishData } = await import('../../../../components/ocr/load.ts');
  const quiet = () => undefined;
  const factory = await (getCore as GetCore)(NEURAL_NETWORK_ONLY, null, { progress: quiet });
  const core = await factory({ TesseractProgress: quiet, print: quiet, printErr: quiet });
  const compressed = await readFile(englishData);
  core.FS.writeFile('./eng.traineddata', gunzipSync(compressed));
  const api = new core.TessBaseAPI();
  if (api.Init(null, 'eng', NEURAL_NETWORK_ONLY) === -1)
    throw new Error('OCR could not load its language data.');
  return { core, api };
}
