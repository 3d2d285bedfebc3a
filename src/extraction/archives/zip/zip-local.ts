import { CorruptInput } from '../../extraction-error.ts';
import type { ByteQueue } from '../../formats/byte-queue.ts';
import { ELSEWHERE, HAS_DESCRIPTOR, nameOf, viewOf, widen } from './zip-fields.ts';
import type { Packed } from './zip-method.ts';

const HEADER = 30;

export interface LocalHeader extends Packed {
  readonly name: string;
  /** Sizes and checksum follow the data; those in the header are invalid. */
  readonly late: boolean;
}

/** At its signature. */
export async function readLocal(queue: ByteQueue): Promise<LocalHeader> {
  const bytes = await queue.take(HEADER);
  if (bytes.length < HEADER) throw new CorruptInput('truncated zip archive');
  const view = viewOf(bytes);
  const flags = view.getUint16(6, true);
  const method = view.getUint16(8, true);
  const crc = view.getUint32(14, true);
  const narrow = { compressedSize: view.getUint32(18, true), size: view.getUint32(22, true), offset: 0 };
  const nameLength = view.getUint16(26, true);
  const rest = await takeRest(queue, nameLength + view.getUint16(28, true));
  const extra = rest.subarray(nameLength);
  const { compressedSize, size } = widen(narrow, extra);
  const name = nameOf(rest.subarray(0, nameLength), flags, extra);
  // Some programs know the sizes and write a descriptor all the same; some point to a field for them that they leave out.
  const late = (flags & HAS_DESCRIPTOR) !== 0 && (compressedSize === 0 || compressedSize === ELSEWHERE);
  return { name, flags, method, crc, compressedSize, size, late };
}

async function takeRest(queue: ByteQueue, length: number): Promise<Uint8Array> {
  const bytes = await queue.take(length);
  if (bytes.length < length) throw new CorruptInput('truncated zip archive');
  return bytes;
}
