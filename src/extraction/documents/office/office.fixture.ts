/** Writes documents, including invalid ones, and reads them back. */

import { inMemory } from '../../archives/memory.fixture.ts';
import { zipOf } from '../../archives/zip/zip.fixture.ts';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS, type ExtractionLimits } from '../../budget/limits.ts';
import type { DocumentReader, ReadingOptions } from '../../document-item.ts';
import { ExtractionError } from '../../extraction-error.ts';
import type { Grid } from '../../grid.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';

/** Every other part is stored, the others are deflated. Texts without a declaration get one. */
export function zipped(files: Files): Buffer {
  return zipOf(
    Object.entries(files).map(([name, data], i) => ({
      name,
      data: typeof data === 'string' && data.startsWith('<') && !data.startsWith('<?') ? XML + data : data,
      method: i % 2 === 0 && name !== 'mimetype' ? 8 : 0,
    })),
  );
}

const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/';

/** `id: [type, target]`; a target with a colon leads outside. */
export function relations(list: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const each = Object.entries(list).map(([id, [type, target]]) => {
    const mode = target.includes(':') ? ' TargetMode="External"' : '';
    return `<Relationship Id="${id}" Type="${TYPES}${type}" Target="${target}"${mode}/>`;
  });
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`;
}

export interface Seen {
  readonly texts: { location: string | null; text: string; grid?: Grid }[];
  readonly entries: { name: string; size: number }[];
  error: string | null;
}

/** Joins chunks with the same location and grid; rethrows errors that are not an ExtractionError. */
export async function readBack(
  reader: DocumentReader,
  bytes: Uint8Array,
  options: Partial<ReadingOptions & { limits: Partial<ExtractionLimits> }> = {},
): Promise<Seen> {
  const { ocr = false, limits } = options;
  const seen: Seen = { texts: [], entries: [], error: null };
  try {
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, ...limits });
    for await (const item of reader(inMemory(bytes), budget, { ocr })) {
      if (item.is === 'entry') {
        seen.entries.push({ name: item.name, size: await lengthOf(item.bytes) });
        continue;
      }
      const { location, grid } = item;
      const text = Buffer.from(item.text).toString();
      const last = seen.texts.at(-1);
      if (last !== undefined && last.location === location && last.grid === grid) last.text += text;
      else seen.texts.push(grid === undefined ? { location, text } : { location, text, grid });
    }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    seen.error = error.message;
  }
  return seen;
}

/** The text at a location; null if there is none. */
export function textAt(seen: Seen, location: string | null): string | null {
  const found = seen.texts.filter((text) => text.location === location).map(({ text }) => text);
  return found.length === 0 ? null : found.join('');
}

async function lengthOf(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  try {
    for await (const chunk of bytes) length += chunk.length;
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
  }
  return length;
}
