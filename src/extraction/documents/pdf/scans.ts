/** Pages that are pictures. */
import type { PDFPageProxy } from 'unpdf/pdfjs';
import type { Budget } from '../../budget.ts';
import { Limit, Obstacle, Unsupported } from '../../obstacle.ts';
import { recognize } from '../pictures/ocr.ts';
import { pnmOf } from '../pictures/pixels.ts';
import { turned } from '../pictures/turning.ts';
import type { Losses } from './losses.ts';
import { picturesOf } from './page-pictures.ts';

/** A page with fewer characters and a picture was scanned: a number or a stamp may have been printed on it later. */
export const SCANNED_BELOW = 24;
/** Pictures of fewer pixels are ornaments. */
export const LEAST_PIXELS = 40_000;
export const MOST_PIXELS = 100_000_000;

/** OCR is off, so pictures of some size were left out by the library: that there are any is all we want to know. */
export async function noteScan(page: PDFPageProxy, losses: Losses): Promise<void> {
  const before = losses.picturesLeftOut;
  await page.getOperatorList({ annotationMode: 0 });
  if (losses.picturesLeftOut > before) losses.note(new Obstacle('scanned page: OCR is off'));
}

/** The texts of a page's pictures. */
export async function* scannedTexts(
  page: PDFPageProxy,
  losses: Losses,
  budget: Budget,
): AsyncGenerator<string> {
  const { picturesLeftOut, picturesUnread } = losses;
  for (const pixels of await picturesOf(page)) {
    if (pixels.width * pixels.height < LEAST_PIXELS) continue;
    budget.picture();
    yield await recognize(pnmOf(turned(pixels, page.rotate)));
  }
  if (losses.picturesLeftOut > picturesLeftOut) losses.note(new Limit('picture size'));
  if (losses.picturesUnread > picturesUnread) losses.note(new Unsupported('picture in PDF'));
}
