import type { ExtractionLimits } from './budget/limits.ts';
import { mailParser } from './formats/mail/mail.ts';
import { mboxParser } from './formats/mail/mbox.ts';
import { textParser } from './formats/text.ts';
import type { PartTarget, PushParser } from './push-parser.ts';
import type { SniffedType } from './sniff/sniff.ts';

/** Creates the parser for a text of this format. */
export function createTextParser(
  { format, encoding }: Extract<SniffedType, { is: 'text' }>,
  target: PartTarget,
  limits: ExtractionLimits,
): PushParser {
  if (format === 'eml' && encoding.width === 1) return mailParser(target, limits);
  if (format === 'mbox' && encoding.width === 1) return mboxParser(target, limits);
  return textParser(format, encoding, target);
}
