/**
 * Office documents in a single XML file.
 *
 * Format: OASIS OpenDocument 1.3 Part 3, section 3.1.2 (office:document); WordprocessingML and SpreadsheetML of Office 2003; Flat OPC.
 * No library reads them as a stream that we know of.
 */
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess, ReadingOptions } from '../../../document-item.ts';
import { CorruptInput, ExtractionError } from '../../../extraction-error.ts';
import type { Meter } from '../../sheets/sheet-rows.ts';
import { chunksOf } from '../../stream-chunks.ts';
import { textChunksOf } from '../../text-writer.ts';
import { XmlTokens } from '../../xml/xml-tokens.ts';
import { FlatOpenDocument } from './flat-open-document.ts';
import type { FlatText } from './flat-text.ts';
import { FlatWord } from './flat-word.ts';
import { FlatWorkbook } from './flat-workbook.ts';
import { type FlatType, isFlatKind } from './sniff-xml.ts';

const TEXTS: Readonly<Record<FlatType, (meter: Meter, options: ReadingOptions) => FlatText>> = {
  document: (meter, options) => new FlatOpenDocument(meter, options),
  wordDocument: (meter, options) => new FlatWord(meter.budget, options),
  package: (meter, options) => new FlatWord(meter.budget, options),
  Workbook: (meter) => new FlatWorkbook(meter),
};

/** Flat OpenDocument, and what Word and Excel write as XML: one file without a package around it. */
export async function* readFlatOffice(
  input: RandomAccess,
  budget: ExtractionBudget,
  options: ReadingOptions,
): AsyncGenerator<DocumentItem> {
  const meter: Meter = { budget, size: input.size, out: 0 };
  const xml = new XmlTokens();
  const chunks = chunksOf(input, 0, input.size)[Symbol.asyncIterator]();
  let text: FlatText | null = null;
  let failure: unknown = null;
  try {
    for (let isLast = false; !isLast; ) {
      isLast = await pushNext(xml, chunks);
      while (xml.next()) {
        if (text === null && xml.token !== 'open') continue;
        text ??= textOf(xml.name, meter, options);
        text.take(xml);
        if (text.ready) yield* text.items();
      }
    }
    xml.finish();
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    failure = error;
  }
  try {
    if (text !== null) yield* text.end();
  } catch (error) {
    failure ??= error;
  }
  if (failure === null) return;
  yield* textChunksOf('rest', restOf(xml, chunks), 'xml');
  throw failure;
}

/** True: it was the last. */
async function pushNext(xml: XmlTokens, chunks: AsyncIterator<Uint8Array>): Promise<boolean> {
  const { done, value } = await chunks.next();
  if (done) xml.pushEnd();
  else xml.push(value);
  return done === true;
}

/** After damage the rest is no longer parsed as a document, but scanned as text. */
async function* restOf(xml: XmlTokens, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<string> {
  yield xml.takeUnread();
  for (let isLast = false; !isLast; ) {
    isLast = await pushNext(xml, chunks);
    yield xml.takeUnread();
  }
}

function textOf(root: string, meter: Meter, options: ReadingOptions): FlatText {
  if (!isFlatKind(root)) throw new CorruptInput('XML');
  return TEXTS[root](meter, options);
}
