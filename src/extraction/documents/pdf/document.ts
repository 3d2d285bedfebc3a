import type { PDFDataRangeTransport, PDFDocumentLoadingTask, PDFDocumentProxy } from 'unpdf/pdfjs';
import type { RandomAccess } from '../../document-item.ts';
import { CorruptInput, Encrypted, Unsupported } from '../../extraction-error.ts';
import type { PdfWarnings } from './pdf-warnings.ts';
import { CharacterMaps } from './pdfjs/character-maps.ts';
import { pdfLibrary } from './pdfjs/library.ts';

/** Larger documents are read in ranges on demand, which is slower in the library. */
const MAX_AT_ONCE = 256 * 1024 * 1024;
const RANGE = 1024 * 1024;
/** The library's error for documents encrypted with a public key. */
const FOR_OTHERS = 'unknown encryption method';
/** Includes infos, because some missing text is reported as such. */
const VERBOSITY = 5;

export interface PdfDocument {
  readonly document: PDFDocumentProxy;
  /** In bytes. */
  readonly size: number;
  /** Fails as the input does: the library would wait for ever. */
  unlessFailed<T>(pending: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Pictures of more than `maxPixels` are left out, with a warning. */
export async function openPdf(
  input: RandomAccess,
  warnings: PdfWarnings,
  maxPixels: number,
): Promise<PdfDocument> {
  const source = await sourceOf(input);
  const { getDocument } = await pdfLibrary();
  const task = getDocument({
    ...source.parameters,
    // No network or file access: all that the library needs is provided from memory, or not at all.
    BinaryDataFactory: factoryOf(warnings),
    cMapPacked: false,
    useWorkerFetch: false,
    useWasm: false,
    useSystemFonts: true,
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: true,
    maxImageSize: maxPixels,
    verbosity: VERBOSITY,
  });
  const document = await opened(task, source);
  return {
    document,
    size: input.size,
    unlessFailed: (pending) => unlessFailed(source, pending),
    close: () => task.destroy(),
  };
}

async function opened(task: PDFDocumentLoadingTask, source: Source): Promise<PDFDocumentProxy> {
  try {
    return await unlessFailed(source, task.promise);
  } catch (error) {
    await task.destroy();
    if (error instanceof InputFailure) throw error.cause;
    // No password, and not the empty one either, which is tried first.
    if (error instanceof Error && (error.name === 'PasswordException' || error.message === FOR_OTHERS))
      throw new Encrypted();
    throw new CorruptInput('PDF document');
  }
}

/** The library drops text outside of the crop box, but it is still in the file for anyone to extract. */
function uncropped(document: Uint8Array<ArrayBuffer>): Uint8Array {
  const bytes = Buffer.from(document.buffer);
  for (let at = bytes.indexOf('/CropBox'); at !== -1; at = bytes.indexOf('/CropBox', at + 1)) {
    bytes.write('/Dropped', at, 'latin1');
  }
  return document;
}

interface Ranges {
  range: PDFDataRangeTransport;
  rangeChunkSize: number;
  disableStream: true;
  disableAutoFetch: true;
}

interface Source {
  readonly parameters: { data: Uint8Array } | Ranges;
  /** null: all of it was read already. */
  readonly failure: Promise<never> | null;
}

function unlessFailed<T>({ failure }: Source, pending: Promise<T>): Promise<T> {
  return failure === null ? pending : Promise.race([pending, failure]);
}

async function sourceOf(input: RandomAccess): Promise<Source> {
  if (input.size > MAX_AT_ONCE) return await rangesOf(input);
  const bytes = await input.read(0, input.size);
  // The library transfers the buffer it is given, so it gets a copy.
  return { parameters: { data: uncropped(Uint8Array.from(bytes)) }, failure: null };
}

async function rangesOf(input: RandomAccess): Promise<Source> {
  const { PDFDataRangeTransport } = await pdfLibrary();
  const { promise: failure, reject } = Promise.withResolvers<never>();
  failure.catch(() => undefined);
  class InputRanges extends PDFDataRangeTransport {
    override requestDataRange(from: number, to: number): void {
      const answer = async () => this.onDataRange(from, Uint8Array.from(await input.read(from, to)));
      answer().catch((cause: unknown) => reject(new InputFailure('the input failed', { cause })));
    }
  }
  const range = new InputRanges(input.size, null);
  return {
    parameters: { range, rangeChunkSize: RANGE, disableStream: true, disableAutoFetch: true },
    failure,
  };
}

/** Distinguishes input errors from the library's own errors. */
export class InputFailure extends Error {}

/** Fonts that are not embedded are requested as well; text extraction doesn't need them. */
function factoryOf(warnings: PdfWarnings): object {
  const maps = new CharacterMaps();
  return class {
    async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
      const map = kind === 'cMapUrl' ? maps.named(filename) : null;
      if (map === null || !map.complete) warnings.record(new Unsupported('PDF character map'));
      if (map === null) throw new Error('there is no such file');
      return Buffer.from(map.text);
    }
  };
}
