import type { ZipMember } from '../../../archives/zip/zip-directory.ts';
import type { DocumentItem } from '../../../document-item.ts';
import type { OfficePackage } from '../package/office-package.ts';
import { type Parts, textOf } from '../package/parts.ts';
import { linksOf, partsOf, type Relation } from '../package/relations.ts';
import { ChartText } from './chart-text.ts';
import { RunText } from './run-text.ts';
import { TextFlow } from './text-flow.ts';

/** A part of runs and paragraphs. `also`: its elements whose text is a line of its own. */
export async function* runsOf(
  office: OfficePackage,
  parts: Parts,
  part: ZipMember,
  location: string | null,
  also: readonly string[] = [],
): AsyncGenerator<DocumentItem> {
  const relations = await parts.optional(office.relations(part.name), []);
  yield* textOf(part, new RunText(new TextFlow(location), { also, links: linksOf(relations) }));
}

/** The text of a part's drawings: charts and diagrams. `sheets`: those of the workbook, whose values are not repeated. */
export async function* drawingsOf(
  office: OfficePackage,
  parts: Parts,
  relations: readonly Relation[],
  location: string,
  sheets: ReadonlySet<string> | null = null,
): AsyncGenerator<DocumentItem> {
  for (const name of partsOf(relations, 'chart', 'chartEx'))
    yield* parts.read(name, (part) =>
      sheets === null
        ? chartOf(office, parts, part, location)
        : textOf(part, new ChartText(location, sheets)),
    );
  for (const name of partsOf(relations, 'diagramData'))
    yield* parts.read(name, (part) => runsOf(office, parts, part, location));
}

/** A chart's values are in its embedded workbook, if it has one. */
async function* chartOf(
  office: OfficePackage,
  parts: Parts,
  part: ZipMember,
  location: string,
): AsyncGenerator<DocumentItem> {
  const relations = await parts.optional(office.relations(part.name), []);
  const also = partsOf(relations, 'package').length > 0 ? [] : ['v'];
  yield* textOf(part, new RunText(new TextFlow(location), { also }));
}
