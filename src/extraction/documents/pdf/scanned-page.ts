/** Pages that are pictures. */
import type { PDFPageProxy } from 'unpdf/pdfjs';
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { ExtractionError, LimitExceeded, Unsupported } from '../../extraction-error.ts';
import { recognize } from '../pictures/ocr.ts';
import { pnmOf, rotated } from '../pictures/pixels.ts';
import { picturesOf } from './page-pictures.ts';
import type { PdfWarnings } from './pdf-warnings.ts';

/** A page with fewer characters and a picture was scanned: a number or a stamp may have been printed on it later. */
export const SCANNED_BELOW_CHARACTERS = 24;
/** Pictures of fewer pixels are ornaments. */
export const MIN_PIXELS = 40_000;
export const MAX_PIXELS = 100_000_000;

/** OCR is off, so pictures of some size were left out by the library: that there are any is all we want to know. */
export async function recordScan(page: PDFPageProxy, warnings: PdfWarnings): Promise<void> {
  const before = warnings.picturesLeftOut;
  await page.getOperatorList({ annotationMode: 0 });
  if (warnings.picturesLeftOut > before) warnings.record(new ExtractionError('scanned page: OCR is off'));
}

/** The texts of a page's pictures. */
export async function* scannedTexts(
  page: PDFPageProxy,
  warnings: PdfWarnings,
  budget: ExtractionBudget,
): AsyncGenerator<string> {
  const { picturesLeftOut, picturesUnread } = warnings;
  for (const pixels of await picturesOf(page)) {
    if (pixels.width * pixels.height < MIN_PIXELS) continue;
    budget.countPicture();
    yield await recognize(pnmOf(rotated(pixels, page.rotate)));
  }
  if (warnings.picturesLeftOut > picturesLeftOut) warnings.record(new LimitExceeded('picture size'));
  if (warnings.picturesUnread > picturesUnread) warnings.record(new Unsupported('picture in PDF'));
}
