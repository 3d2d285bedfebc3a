import type { Format, Part } from '../extraction.ts';
import { jsonPath, ndjsonPath } from './json.ts';
import { assignment, headerName, label, lineKey, logLabel, sectionKey } from './lines.ts';
import { htmlName, xmlName } from './markup.ts';
import { tableColumns } from './table.ts';

/**
 * How to find the column, key or tag around a place in a text of this format. Only a table needs to look at the
 * beginning of the text, for its header; all other formats share one function each.
 */
export function fieldsOf(format: Format, head: Uint8Array): Part['fieldAt'] {
  return format === 'csv' || format === 'tsv' ? tableColumns(head, format) : lookups[format];
}

const lookups: Readonly<Record<Exclude<Format, 'csv' | 'tsv'>, Part['fieldAt']>> = {
  text: label,
  markdown: label,
  log: logLabel,
  json: jsonPath,
  ndjson: ndjsonPath,
  xml: xmlName,
  html: htmlName,
  code: assignment,
  env: lineKey,
  ini: sectionKey,
  yaml: lineKey,
  eml: headerName,
};
