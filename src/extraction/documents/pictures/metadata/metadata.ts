import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { RandomAccess } from '../../../document-item.ts';
import { ExtractionError } from '../../../extraction-error.ts';
import { propertyLine } from '../../property.ts';
import type { PictureType } from '../picture-type.ts';
import { inMemory, ReadWindow } from '../read-window.ts';
import type { Block } from './block.ts';
import { exifLines } from './exif.ts';
import { gifBlocks } from './gif.ts';
import { heifBlocks } from './heif.ts';
import { photoshopLines } from './iptc.ts';
import { jpegBlocks } from './jpeg.ts';
import { pngBlocks } from './png.ts';
import { webpBlocks } from './webp.ts';
import { xmpLines } from './xmp.ts';

/** The metadata of a picture, as lines "name: value". A broken block does not prevent reading the others. */
export async function* metadataLines(
  input: RandomAccess,
  type: PictureType,
  budget: ExtractionBudget,
): AsyncGenerator<string> {
  if (type === 'TIFF image') yield* exifLines(new ReadWindow(input));
  let failure: ExtractionError | null = null;
  for await (const block of blocksOf(input, type, budget)) {
    try {
      yield* blockLines(block);
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      failure ??= error;
    }
  }
  if (failure !== null) throw failure;
}

async function* blocksOf(
  input: RandomAccess,
  type: PictureType,
  budget: ExtractionBudget,
): AsyncGenerator<Block> {
  if (type === 'JPEG image') yield* jpegBlocks(input);
  if (type === 'PNG image') yield* pngBlocks(input, budget);
  if (type === 'GIF image') yield* gifBlocks(input);
  if (type === 'WebP image') yield* webpBlocks(input);
  if (type === 'HEIC image' || type === 'AVIF image') yield* heifBlocks(input);
}

async function* blockLines(block: Block): AsyncGenerator<string> {
  if (block.is === 'exif') yield* exifLines(inMemory(block.bytes));
  if (block.is === 'xmp') yield* xmpLines(block.bytes);
  if (block.is === 'photoshop') yield* photoshopLines(block.bytes);
  if (block.is === 'text') yield* propertyLine(block.name, block.text);
}
