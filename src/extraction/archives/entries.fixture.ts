import type { DocumentItem } from '../document-item.ts';
import { ExtractionError } from '../extraction-error.ts';
import { outcomeOf } from '../formats/byte-queue.fixture.ts';

/** What a test compares: each entry with its text or the reason why it has none, and why the archive ended. */
export interface Contents {
  readonly entries: readonly { readonly name: string; readonly text: string; readonly reason?: string }[];
  readonly reason: string | null;
  readonly comments?: string;
}

export async function contentsOf(items: AsyncIterable<DocumentItem>, max = 1e8): Promise<Contents> {
  const entries: { name: string; text: string; reason?: string }[] = [];
  let comments = '';
  const commentsIfAny = () => (comments === '' ? {} : { comments });
  let left = max;
  try {
    for await (const item of items) {
      if (item.is === 'text') {
        if (item.location !== 'comment') throw new Error('text in an archive');
        comments += Buffer.from(item.text).toString();
        continue;
      }
      const { bytes, reason } = await outcomeOf(item.bytes, left);
      left -= bytes.length;
      const text = bytes.toString('latin1');
      entries.push(reason === null ? { name: item.name, text } : { name: item.name, text, reason });
    }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return { entries, reason: error.message, ...commentsIfAny() };
  }
  return { entries, reason: null, ...commentsIfAny() };
}
