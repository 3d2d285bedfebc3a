import type { PartTarget, PushParser } from '../../push-parser.ts';
import type { Encoding } from '../../sniff/encoding.ts';
import { RewrittenText } from '../rewritten-text.ts';
import { MarkupRewriter } from './markup-rewriter.ts';

/** HTML and XML: entities are decoded, and words that tags divide are whole again. */
export function markupParser(format: 'html' | 'xml', encoding: Encoding, place: PartTarget): PushParser {
  const { charset } = encoding;
  return new RewrittenText(format, encoding, place, (text) => new MarkupRewriter(text, { format, charset }));
}
