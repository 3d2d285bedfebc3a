import { CorruptInput, Unsupported } from '../../../extraction-error.ts';
import { type BlockCodec, unpackBlock } from '../block-codecs.ts';
import { unlz4, unlz4Framed } from '../lz4.ts';
import { type QuickSnappy, unsnappy } from '../snappy.ts';

const UNCOMPRESSED = 0;
const SNAPPY = 1;
const LZ4_HADOOP = 5;
const LZ4_RAW = 7;
const ENGINES: ReadonlyMap<number, BlockCodec> = new Map([
  [2, 'gzip'],
  [4, 'brotli'],
  [6, 'zstd'],
]);

/** A page must have exactly the length in its header. LZO is unsupported, because it is obsolete. */
export function unpackPage(
  codec: number,
  bytes: Uint8Array,
  length: number,
  quick: QuickSnappy | null,
): Uint8Array {
  const page = unpack(codec, bytes, length, quick);
  if (page.length !== length) throw new CorruptInput('Parquet page');
  return page;
}

function unpack(codec: number, bytes: Uint8Array, length: number, quick: QuickSnappy | null): Uint8Array {
  if (codec === UNCOMPRESSED || length === 0) return bytes.subarray(0, length);
  if (codec === SNAPPY) return unsnappy(bytes, length, quick);
  if (codec === LZ4_RAW) return unlz4(bytes, length);
  if (codec === LZ4_HADOOP) return unlz4Framed(bytes, length) ?? unlz4(bytes, length);
  const engine = ENGINES.get(codec);
  if (engine === undefined) throw new Unsupported('Parquet codec');
  return unpackBlock(engine, bytes, length, length);
}
