import type { PDFPageProxy } from 'unpdf/pdfjs';
import type { Pixels } from '../pictures/pixels.ts';
import { pdfLibrary } from './pdfjs/library.ts';

const FORMS: readonly (Pixels['form'] | undefined)[] = [undefined, 'bits', 'rgb', 'rgba'];
const BYTES = { bits: 1 / 8, grey: 1, rgb: 3, rgba: 4 } as const;

/** As returned by the library; masks have no kind and one bit per pixel. */
interface Decoded {
  readonly width: number;
  readonly height: number;
  readonly kind?: number;
  readonly data?: Uint8Array | Uint8ClampedArray | string;
}

/** The pictures that are painted on a page, each once, in the order of painting. */
export async function picturesOf(page: PDFPageProxy): Promise<Pixels[]> {
  const { OPS } = await pdfLibrary();
  const painting = new Set<number>([
    OPS.paintImageXObject,
    OPS.paintImageXObjectRepeat,
    OPS.paintInlineImageXObject,
    OPS.paintInlineImageXObjectGroup,
    OPS.paintImageMaskXObject,
    OPS.paintImageMaskXObjectRepeat,
    OPS.paintImageMaskXObjectGroup,
  ]);
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 });
  const pictures = new Set<Decoded | string>();
  for (const [index, operator] of fnArray.entries()) {
    if (!painting.has(operator)) continue;
    const first: Decoded | Decoded[] | string = argsArray[index][0];
    for (const picture of Array.isArray(first) ? first : [first]) pictures.add(nameOf(picture) ?? picture);
  }
  const found: Pixels[] = [];
  for (const picture of pictures) {
    const pixels = pixelsOf(typeof picture === 'string' ? await named(page, picture) : picture);
    if (pixels !== null) found.push(pixels);
  }
  return found;
}

/** Large pictures are handed over by name. */
function nameOf(picture: Decoded | string): string | null {
  if (typeof picture === 'string') return picture;
  return typeof picture.data === 'string' ? picture.data : null;
}

function named(page: PDFPageProxy, name: string): Promise<Decoded | null> {
  const objects = name.startsWith('g_') ? page.commonObjs : page.objs;
  return new Promise((resolve) => objects.get(name, resolve));
}

function pixelsOf(picture: Decoded | null): Pixels | null {
  if (picture === null || picture.data === undefined || typeof picture.data === 'string') return null;
  const { width, height, kind = 1, data } = picture;
  const form = FORMS[kind];
  if (form === undefined) return null;
  const length = Math.ceil(width * BYTES[form]) * height;
  return data.length < length ? null : { width, height, data: data.subarray(0, length), form };
}
