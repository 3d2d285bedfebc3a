import type { DocumentItem } from '../document-item.ts';
import { ExtractionError } from '../extraction-error.ts';
import type { Grid } from '../grid.ts';

/** The output of a reader, joined by location, and the error that ended it. */
export interface Read {
  readonly texts: { location: string | null; text: string; grid?: Grid }[];
  /** With what stopped it, if anything did. */
  readonly entries: { name: string; bytes: Buffer; error?: string }[];
  readonly error: string | null;
  readonly length: number;
}

/** Rethrows errors other than ExtractionError. `max` limits the text. */
export async function gather(items: AsyncIterable<DocumentItem>, max = 2 ** 26): Promise<Read> {
  const texts: Read['texts'] = [];
  const entries: Read['entries'] = [];
  let length = 0;
  try {
    for await (const item of items) {
      if (item.is === 'entry') {
        const read = await bytesOf(item.bytes);
        length += read.bytes.length;
        entries.push({ name: item.name, ...read });
        continue;
      }
      length += item.text.length;
      const text = Buffer.from(item.text).toString();
      const last = texts.at(-1);
      if (last?.location === item.location) last.text += text;
      else texts.push({ location: item.location, text, ...(item.grid && { grid: item.grid }) });
      if (length > max) throw new Error('too much text');
    }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return { texts, entries, error: error.message, length };
  }
  return { texts, entries, error: null, length };
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<{ bytes: Buffer; error?: string }> {
  const parts: Uint8Array[] = [];
  try {
    for await (const chunk of chunks) parts.push(Uint8Array.from(chunk));
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return { bytes: Buffer.concat(parts), error: error.message };
  }
  return { bytes: Buffer.concat(parts) };
}

/** Texts by location, for documents that have each location once. */
export function placesOf({ texts }: Read): Record<string, string> {
  return Object.fromEntries(texts.map(({ location, text }) => [location ?? '', text]));
}
