import type { ZipMember } from '../../../../archives/zip/zip-directory.ts';
import type { DocumentItem } from '../../../../document-item.ts';
import type { TextFlow } from '../../text/text-flow.ts';
import { type BinaryRecords, binaryRecords, type Frame } from './binary-records.ts';

/** Puts the records of a part into a flow of text. */
interface BinaryText {
  readonly flow: TextFlow;
  take(record: BinaryRecords): void;
}

/** The text of a part. What was read before an error is yielded first. */
export async function* binaryTextOf(
  part: ZipMember,
  frame: Frame,
  text: BinaryText,
): AsyncGenerator<DocumentItem> {
  const { flow } = text;
  try {
    for await (const records of binaryRecords(part, frame))
      while (records.next()) {
        text.take(records);
        if (flow.full) yield* flow.take();
      }
  } catch (error) {
    yield* flow.end();
    throw error;
  }
  yield* flow.end();
}
