import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { RandomAccess } from '../../../document-item.ts';
import { ExtractionError } from '../../../extraction-error.ts';
import { propertyLine } from '../../property.ts';
import type { PictureKind } from '../picture-type.ts';
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
  kind: PictureKind,
  budget: ExtractionBudget,
): AsyncGenerator<string> {
  if (kind === 'TIFF image') yield* exifLines(new ReadWindow(input));
  let failure: ExtractionError | null = null;
  for await (const block of blocksOf(input, kind, budget)) {
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
  kind: PictureKind,
  budget: ExtractionBudget,
): AsyncGenerator<Block> {
  if (kind === 'JPEG image') yield* jpegBlocks(input);
  if (kind === 'PNG image') yield* pngBlocks(input, budget);
  if (kind === 'GIF image') yield* gifBlocks(input);
  if (kind === 'WebP image') yield* webpBlocks(input);
  if (kind === 'HEIC image' || kind === 'AVIF image') yield* heifBlocks(input);
}

async function* blockLines(block: Block): AsyncGenerator<string> {
  if (block.is === 'exif') yield* exifLines(inMemory(block.bytes));
  if (block.is === 'xmp') yield* xmpLines(block.bytes);
  if (block.is === 'photoshop') yield* photoshopLines(block.bytes);
  if (block.is === 'text') yield* propertyLine(block.name, block.text);
}
