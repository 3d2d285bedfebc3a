import type { Encoding } from '../../encoding.ts';
import type { Intake, Place } from '../../reading.ts';
import { RewrittenText } from '../rewritten-text.ts';
import { MarkupRewriting } from './markup-rewriting.ts';

/** HTML and XML: entities are decoded, and words that tags divide are whole again. */
export function takeMarkup(format: 'html' | 'xml', encoding: Encoding, place: Place): Intake {
  const { charset } = encoding;
  return new RewrittenText(format, encoding, place, (text) => new MarkupRewriting(text, { format, charset }));
}
