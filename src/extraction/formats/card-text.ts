import type { PartTarget, PushParser } from '../push-parser.ts';
import type { Encoding } from '../sniff/encoding.ts';
import { CardRewriter } from './card-rewriter.ts';
import { RewrittenText } from './rewritten-text.ts';

/** Calendars and contacts: lines that were folded are whole again, and values are as they were before they were escaped. */
export function cardParser(format: 'ics' | 'vcf', encoding: Encoding, place: PartTarget): PushParser {
  return new RewrittenText(format, encoding, place, (text) => new CardRewriter(text));
}
