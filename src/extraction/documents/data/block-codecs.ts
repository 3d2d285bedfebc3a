/** Blocks that are compressed individually and small enough for memory, so that no stream is needed. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { CorruptInput, LimitExceeded } from '../../extraction-error.ts';

interface Bounds {
  readonly chunkSize: number;
  readonly maxOutputLength: number;
}

const decoders = {
  brotli: brotliDecompressSync,
  deflate: inflateRawSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
} satisfies Record<string, (bytes: Uint8Array, options: Bounds) => Uint8Array>;

export type BlockCodec = keyof typeof decoders;

/** `likely`: the estimated length; memory is allocated as output is produced, up to `max`. */
export function unpackBlock(codec: BlockCodec, bytes: Uint8Array, likely: number, max: number): Uint8Array {
  const chunkSize = Math.max(64, Math.min(likely, 1024 * 1024));
  try {
    return decoders[codec](bytes, { chunkSize, maxOutputLength: Math.max(1, max) });
  } catch (error) {
    if (error instanceof RangeError) throw new LimitExceeded('compression ratio');
    throw new CorruptInput(`${codec} data`);
  }
}
