import { takeMail } from './formats/mail/mail.ts';
import { takeMbox } from './formats/mail/mbox.ts';
import { takeText } from './formats/text.ts';
import type { Kind } from './kind.ts';
import type { ExtractionLimits } from './limits.ts';
import type { Intake, Place } from './reading.ts';

/** Whoever takes in a text of that kind. */
export function openText(
  { format, encoding }: Extract<Kind, { is: 'text' }>,
  place: Place,
  limits: ExtractionLimits,
): Intake {
  if (format === 'eml' && encoding.width === 1) return takeMail(place, limits);
  if (format === 'mbox' && encoding.width === 1) return takeMbox(place, limits);
  return takeText(format, encoding, place);
}
