import type { ExtractionLimits } from './budget/limits.ts';
import { mailParser } from './formats/mail/mail.ts';
import { mboxParser } from './formats/mail/mbox.ts';
import { textParser } from './formats/text.ts';
import type { PartTarget, PushParser } from './push-parser.ts';
import type { SniffedType } from './sniff/sniff.ts';

/** Creates the parser for a text of this format. */
export function createTextParser(
  { format, encoding }: Extract<SniffedType, { is: 'text' }>,
  place: PartTarget,
  limits: ExtractionLimits,
): PushParser {
  if (format === 'eml' && encoding.width === 1) return mailParser(place, limits);
  if (format === 'mbox' && encoding.width === 1) return mboxParser(place, limits);
  return textParser(format, encoding, place);
}
