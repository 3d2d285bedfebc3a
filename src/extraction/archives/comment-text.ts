import type { TextChunk } from '../document-item.ts';

/** A comment of an archive or of one of its entries: all of them are one text, a line each. */
export function commentText(comment: string): TextChunk {
  return { is: 'text', location: 'comment', text: Buffer.from(`${comment}\n`) };
}
