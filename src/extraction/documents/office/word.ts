/**
 * Word documents since 2007 (.docx).
 *
 * Format: ECMA-376 Part 1, section 17 (WordprocessingML).
 *
 * No library: mammoth made a string of 250 MB from a file of 257 KB, without a limit. Parts are streamed here through xml-tokens.ts.
 */
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess, ReadingOptions } from '../../document-item.ts';
import { embeddedEntries, entryOf } from './package/embedded.ts';
import { OfficePackage } from './package/office-package.ts';
import { Parts, textOf } from './package/parts.ts';
import { AttributeText, propertiesOf } from './package/properties.ts';
import { partsOf } from './package/relations.ts';
import { drawingsOf, runsOf } from './text/drawing-text.ts';

/** Parts with text of their own by relationship type, in this order, and their location names. */
const LOCATIONS: readonly (readonly [type: string, location: string])[] = [
  ['header', 'header'],
  ['footer', 'footer'],
  ['footnotes', 'footnotes'],
  ['endnotes', 'endnotes'],
  ['comments', 'comments'],
  ['glossaryDocument', 'building blocks'],
];

/** Word documents since 2007: the body, then headers, notes and so on. */
export async function* readWord(
  input: RandomAccess,
  budget: ExtractionBudget,
  options: ReadingOptions,
): AsyncGenerator<DocumentItem> {
  const word = await OfficePackage.open(input, budget);
  const parts = new Parts(word.zip);
  const main = await word.main('word/document.xml');
  const relations = await parts.optional(word.relations(main.name), []);
  yield* parts.read(main.name, (part) => runsOf(word, parts, part, null));
  for (const [type, location] of LOCATIONS)
    for (const name of partsOf(relations, type))
      yield* parts.read(name, (part) => runsOf(word, parts, part, location));
  yield* drawingsOf(word, parts, relations, 'drawings');
  for (const name of partsOf(relations, 'people', 'settings'))
    yield* parts.read(name, (part) => textOf(part, new AttributeText()));
  yield* propertiesOf(word, parts);
  for (const name of partsOf(relations, 'aFChunk'))
    yield* parts.read(name, async function* (part) {
      yield entryOf(part, budget);
    });
  yield* embeddedEntries(word.zip.members, budget, options);
  parts.throwFirst();
}
