import type { ZipMember } from '../../../../archives/zip/zip-directory.ts';
import type { DocumentItem } from '../../../../document-item.ts';
import { CorruptInput } from '../../../../extraction-error.ts';
import { PROPERTIES } from '../../package/properties.ts';
import { TextFlow } from '../../text/text-flow.ts';
import type { BinaryRecords } from './binary-records.ts';
import { binaryTextOf } from './binary-text.ts';
import { RecordFields } from './record-fields.ts';

const FRAME = [429, 430] as const;
const CONNECTION = 201;
const DATABASE = 203;
const WEB = 261;
/** Flags precede the texts; their number of bytes varies. */
const MAX_SWITCHES = 32;

/** Ways to databases: their names, and how one gets in. */
export function binaryConnections(part: ZipMember): AsyncGenerator<DocumentItem> {
  return binaryTextOf(part, FRAME, new ConnectionText());
}

class ConnectionText {
  readonly flow = new TextFlow(PROPERTIES);

  take(record: BinaryRecords): void {
    const { type } = record;
    if (type !== CONNECTION && type !== DATABASE && type !== WEB) return;
    const name = type === CONNECTION ? 'name' : 'connection';
    for (const text of textsAtEnd(record)) if (text !== '') this.flow.writeLine(`${name}: ${text}`);
  }
}

/** The texts that a record ends with: those that reach exactly to its end. */
function textsAtEnd(record: BinaryRecords): readonly string[] {
  const max = Math.min(MAX_SWITCHES, record.to - record.from);
  for (let switches = 0; switches <= max; switches++) {
    try {
      const fields = new RecordFields(record).skip(switches);
      const texts: string[] = [];
      while (fields.left > 0) texts.push(fields.text());
      return texts;
    } catch (error) {
      if (!(error instanceof CorruptInput)) throw error;
    }
  }
  return [];
}
