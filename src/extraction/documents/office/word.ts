import type { DocumentItem, RandomAccess, ReadingOptions } from '../../document-item.ts';
import type { ExtractionBudget } from '../../extraction-budget.ts';
import { drawingsOf, runsOf } from './drawn-text.ts';
import { embeddedEntries, entryOf } from './embedded.ts';
import { OfficePackage } from './package.ts';
import { Parts, textOf } from './parts.ts';
import { AttributeText, propertiesOf } from './properties.ts';
import { partsOf } from './relations.ts';

/** Parts with text of their own by relationship type, in this order, and their location names. */
const PLACES: readonly (readonly [type: string, place: string])[] = [
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
  for (const [type, place] of PLACES)
    for (const name of partsOf(relations, type))
      yield* parts.read(name, (part) => runsOf(word, parts, part, place));
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
