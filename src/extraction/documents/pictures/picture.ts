import { streamRange } from '../../archives/byte-range.ts';
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess, ReadingOptions } from '../../document-item.ts';
import { ExtractionError, LimitExceeded, Unsupported } from '../../extraction-error.ts';
import { isAnimatedGif } from './metadata/gif.ts';
import { metadataLines } from './metadata/metadata.ts';
import { metafileLines } from './metafile/metafile.ts';
import { recognize } from './ocr.ts';
import { PICTURE_HEAD, type PictureType, pictureType } from './picture-type.ts';
import { inMemory } from './read-window.ts';
import { Tiff } from './tiff.ts';

const MAX_BYTES = 256 * 1024 * 1024;
const WEBP_ANIMATION = 2;
const OCR_IS_OFF = 'picture: OCR is off';

/** The metadata of the picture, then, if the rules enable OCR, its text. */
export async function* readPicture(
  input: RandomAccess,
  budget: ExtractionBudget,
  options: ReadingOptions,
): AsyncGenerator<DocumentItem> {
  const type = pictureType(await input.read(0, PICTURE_HEAD));
  if (type === null) throw new Unsupported('picture');
  if (type === 'EMF image' || type === 'WMF image') return yield* drawnText(input, type, options);
  let failure: ExtractionError | null = null;
  try {
    yield* properties(input, type, budget);
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    failure = error;
  }
  if (!options.ocr) throw new ExtractionError(OCR_IS_OFF);
  yield* texts(input, type, budget);
  if (failure !== null) throw failure;
}

/** Nothing was read of one that is a frame for a bitmap. */
async function* drawnText(
  input: RandomAccess,
  type: PictureType,
  { ocr }: ReadingOptions,
): AsyncGenerator<DocumentItem> {
  const sight = { unseen: false };
  let some = false;
  for await (const line of metafileLines(streamRange(input, 0, input.size), sight)) {
    some = true;
    yield { is: 'text', location: 'picture', text: Buffer.from(`${line}\n`) };
  }
  if (sight.unseen && !some)
    throw ocr ? new Unsupported(`bitmap in ${type}`) : new ExtractionError(OCR_IS_OFF);
}

async function* properties(
  input: RandomAccess,
  type: PictureType,
  budget: ExtractionBudget,
): AsyncGenerator<DocumentItem> {
  const seen = new Set<string>(); // often the same in several forms
  for await (const line of metadataLines(input, type, budget)) {
    if (seen.has(line)) continue;
    seen.add(line);
    yield { is: 'text', location: 'properties', text: Buffer.from(`${line}\n`) };
  }
}

async function* texts(
  input: RandomAccess,
  type: PictureType,
  budget: ExtractionBudget,
): AsyncGenerator<DocumentItem> {
  if (input.size > MAX_BYTES) throw new LimitExceeded('picture size');
  const picture = await input.read(0, input.size);
  if (type === 'TIFF image') {
    yield* pages(picture, budget);
    return;
  }
  budget.countPicture();
  yield { is: 'text', location: 'picture', text: Buffer.from(await recognize(picture)) };
  if (await isAnimated(picture, type)) throw new Unsupported('animation');
}

/** OCR sees the page that the head points to; so each page in turn is made the first. */
async function* pages(file: Uint8Array, budget: ExtractionBudget): AsyncGenerator<DocumentItem> {
  const picture = Uint8Array.from(file);
  const tiff = await Tiff.open(inMemory(file));
  let page = 0;
  let failure: ExtractionError | null = null;
  for await (const { at } of tiff.chain()) {
    budget.countPage();
    budget.countPicture();
    new DataView(picture.buffer).setUint32(4, at, tiff.little);
    try {
      yield { is: 'text', location: `page ${++page}`, text: Buffer.from(await recognize(picture)) };
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      failure ??= error;
    }
  }
  if (failure !== null) throw failure;
}

/** OCR sees the first frame only. */
async function isAnimated(picture: Uint8Array, type: PictureType): Promise<boolean> {
  if (type === 'GIF image') return await isAnimatedGif(inMemory(picture));
  const head = Buffer.from(picture.subarray(0, 4096)).toString('latin1');
  if (type === 'PNG image') return /acTL/.test(head.split('IDAT', 1)[0]!);
  return type === 'WebP image' && head.slice(12, 16) === 'VP8X' && (picture[20]! & WEBP_ANIMATION) !== 0;
}
