import type { Encoding } from '../encoding.ts';
import type { Intake, Place } from '../reading.ts';
import { CardRewriting } from './card-rewriting.ts';
import { RewrittenText } from './rewritten-text.ts';

/** Calendars and contacts: lines that were folded are whole again, and values are as they were before they were escaped. */
export function takeCard(format: 'ics' | 'vcf', encoding: Encoding, place: Place): Intake {
  return new RewrittenText(format, encoding, place, (text) => new CardRewriting(text));
}
