import type { TextChunk } from '../../document-item.ts';

const CHUNK_BYTES = 64 * 1024;

/** File metadata: a name and arbitrary content. */
export function* noteText(key: string, value: Uint8Array): Generator<TextChunk> {
  if (value.length === 0) return;
  const text = Buffer.from(`${key}: ${Buffer.from(value).toString('utf8')}\n`);
  for (let at = 0; at < text.length; at += CHUNK_BYTES)
    yield { is: 'text', location: 'metadata', text: text.subarray(at, at + CHUNK_BYTES) };
}
