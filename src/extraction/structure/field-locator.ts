import type { FieldLocator, Format } from '../extraction.ts';
import { jsonPath, ndjsonPath } from './json.ts';
import { assignment, headerName, label, lineKey, logLabel, propertyName, sectionKey } from './lines.ts';
import { htmlName, xmlName } from './markup.ts';
import { tableColumns } from './table.ts';

/**
 * The locator of the column, key or tag around a position in a text of this format. Only a table depends on the beginning of the text,
 * for its header; all other formats share one each.
 */
export function fieldLocatorOf(format: Format, head: Uint8Array): FieldLocator {
  return format === 'csv' || format === 'tsv' ? tableColumns(head, format) : lookups[format];
}

const near = (fieldAt: FieldLocator['fieldAt']): FieldLocator => ({ fieldAt, fieldScope: 'near' });
const lists = (fieldAt: FieldLocator['fieldAt']): FieldLocator => ({ fieldAt, fieldScope: 'lists' });

const lookups: Readonly<Record<Exclude<Format, 'csv' | 'tsv'>, FieldLocator>> = {
  text: near(label),
  markdown: near(label),
  log: near(logLabel),
  json: lists(jsonPath),
  ndjson: lists(ndjsonPath),
  xml: lists(xmlName),
  html: lists(htmlName),
  code: near(assignment),
  env: near(lineKey),
  ini: lists(sectionKey),
  yaml: lists(lineKey),
  eml: near(headerName),
  mbox: near(headerName),
  ics: near(propertyName),
  vcf: near(propertyName),
};
