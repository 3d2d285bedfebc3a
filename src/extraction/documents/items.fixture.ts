import type { DocumentItem } from '../document-item.ts';
import { ExtractionError } from '../extraction-error.ts';
import type { Grid } from '../grid.ts';

/** The output of a reader, joined by location, and the error that ended it. */
export interface Read {
  readonly texts: { place: string | null; text: string; grid?: Grid }[];
  /** With what stopped it, if anything did. */
  readonly entries: { name: string; bytes: Buffer; obstacle?: string }[];
  readonly obstacle: string | null;
  readonly length: number;
}

/** Rethrows errors other than ExtractionError. `max` limits the text. */
export async function gather(pieces: AsyncIterable<DocumentItem>, max = 2 ** 26): Promise<Read> {
  const texts: Read['texts'] = [];
  const entries: Read['entries'] = [];
  let length = 0;
  try {
    for await (const piece of pieces) {
      if (piece.is === 'entry') {
        const read = await bytesOf(piece.bytes);
        length += read.bytes.length;
        entries.push({ name: piece.name, ...read });
        continue;
      }
      length += piece.text.length;
      const text = Buffer.from(piece.text).toString();
      const last = texts.at(-1);
      if (last?.place === piece.place) last.text += text;
      else texts.push({ place: piece.place, text, ...(piece.grid && { grid: piece.grid }) });
      if (length > max) throw new Error('too much text');
    }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return { texts, entries, obstacle: error.message, length };
  }
  return { texts, entries, obstacle: null, length };
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<{ bytes: Buffer; obstacle?: string }> {
  const parts: Uint8Array[] = [];
  try {
    for await (const chunk of chunks) parts.push(Uint8Array.from(chunk));
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return { bytes: Buffer.concat(parts), obstacle: error.message };
  }
  return { bytes: Buffer.concat(parts) };
}

/** Texts by location, for documents that have each location once. */
export function placesOf({ texts }: Read): Record<string, string> {
  return Object.fromEntries(texts.map(({ place, text }) => [place ?? '', text]));
}
