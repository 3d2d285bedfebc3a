import { CorruptInput, LimitExceeded } from '../../../extraction-error.ts';
import type { ReadAhead } from '../read-ahead.ts';
import { AvroBytes } from './avro-bytes.ts';

const MAGIC = 'Obj\u0001';
export const SYNC_BYTES = 16;
const HEAD_LENGTHS = [64 * 1024, 512 * 1024, 4 * 1024 * 1024];

export interface AvroHeader {
  readonly metadata: ReadonlyMap<string, Uint8Array>;
  /** Follows every block. */
  readonly sync: Uint8Array;
  /** Where the first block begins. */
  readonly end: number;
}

export async function readHeader(source: ReadAhead): Promise<AvroHeader> {
  for (const headLength of HEAD_LENGTHS) {
    const bytes = await source.read(0, headLength);
    if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== MAGIC) throw new CorruptInput('Avro header');
    try {
      return parseHeader(new AvroBytes(bytes));
    } catch {
      if (bytes.length < headLength) throw new CorruptInput('truncated Avro file');
    }
  }
  throw new LimitExceeded('Avro schema');
}

function parseHeader(data: AvroBytes): AvroHeader {
  const metadata = new Map<string, Uint8Array>();
  data.pass(MAGIC.length);
  for (let count = data.long(); count !== 0; count = data.long()) {
    if (count < 0) data.long();
    for (let left = Math.abs(Number(count)); left > 0; left--) {
      const key = Buffer.from(bytesIn(data)).toString('utf8');
      metadata.set(key, bytesIn(data));
    }
  }
  const sync = data.pass(SYNC_BYTES);
  return { metadata, sync: data.bytes.slice(sync, data.at), end: data.at };
}

function bytesIn(data: AvroBytes): Uint8Array {
  const from = data.pass(data.size());
  return data.bytes.subarray(from, data.at);
}
