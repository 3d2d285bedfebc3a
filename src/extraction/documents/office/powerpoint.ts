/**
 * Presentations since PowerPoint 2007 (.pptx).
 *
 * Format: ECMA-376 Part 1, section 19 (PresentationML).
 *
 * No library: officeparser takes 100 MB on disk and accepts 250 MB of decompressed text by default. Parts are streamed here through
 * xml-tokens.ts.
 */
import type { ZipMember } from '../../archives/zip/zip-directory.ts';
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess, ReadingOptions } from '../../document-item.ts';
import { CorruptInput } from '../../extraction-error.ts';
import { embeddedEntries } from './package/embedded.ts';
import { OfficePackage } from './package/office-package.ts';
import { eachTag, Parts, textOf } from './package/parts.ts';
import { AttributeText, propertiesOf } from './package/properties.ts';
import { partsOf, type Relation } from './package/relations.ts';
import { drawingsOf, runsOf } from './text/drawing-text.ts';

const MASTERS = ['slideMaster', 'notesMaster', 'handoutMaster'];

/** Presentations since PowerPoint 2007: the slides in order, each with its notes and comments, then the slide masters. */
export async function* readPowerPoint(
  input: RandomAccess,
  budget: ExtractionBudget,
  options: ReadingOptions,
): AsyncGenerator<DocumentItem> {
  const show = await OfficePackage.open(input, budget);
  const parts = new Parts(show.zip);
  const main = await show.main('ppt/presentation.xml');
  const relations = await parts.optional(show.relations(main.name), []);
  const slides = await slidesInOrder(main, relations, parts);
  let number = 0;
  for (const name of slides) {
    number++;
    yield* parts.read(name, (part) => slideOf(show, parts, part, `slide ${number}`, budget));
  }
  for (const name of partsOf(relations, ...MASTERS))
    yield* parts.read(name, (part) => masterOf(show, parts, part));
  for (const name of partsOf(relations, 'commentAuthors', 'authors'))
    yield* parts.read(name, (part) => textOf(part, new AttributeText()));
  yield* propertiesOf(show, parts);
  yield* embeddedEntries(show.zip.members, budget, options);
  parts.throwFirst();
}

/** As they are shown, then those that are only there. */
async function slidesInOrder(
  main: ZipMember,
  relations: readonly Relation[],
  parts: Parts,
): Promise<ReadonlySet<string>> {
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  const slides = new Set<string>();
  await parts.optional(
    eachTag(main, 'sldId', (tag) => {
      const id = tag.prefixedAttribute('id');
      // Sections list their slides again, by another id.
      if (id === null) return;
      const target = targets.get(id);
      if (target === undefined) parts.record(new CorruptInput('missing part'));
      else slides.add(target);
    }),
  );
  return new Set([...slides, ...partsOf(relations, 'slide')]);
}

async function* slideOf(
  show: OfficePackage,
  parts: Parts,
  slide: ZipMember,
  location: string,
  budget: ExtractionBudget,
): AsyncGenerator<DocumentItem> {
  budget.countPage();
  const relations = await parts.optional(show.relations(slide.name), []);
  yield* parts.attempt(runsOf(show, parts, slide, location));
  yield* drawingsOf(show, parts, relations, location);
  for (const name of partsOf(relations, 'notesSlide'))
    yield* parts.read(name, (part) => runsOf(show, parts, part, `${location} notes`));
  for (const name of partsOf(relations, 'comments'))
    yield* parts.read(name, (part) => runsOf(show, parts, part, `${location} comments`, ['text']));
}

/** The text of slide masters: for instance a company's address, among prompts of placeholders. */
async function* masterOf(show: OfficePackage, parts: Parts, master: ZipMember): AsyncGenerator<DocumentItem> {
  yield* parts.attempt(runsOf(show, parts, master, 'layout'));
  const relations = await parts.optional(show.relations(master.name), []);
  for (const name of partsOf(relations, 'slideLayout'))
    yield* parts.read(name, (part) => runsOf(show, parts, part, 'layout'));
}
