/** WebP: RFC 9649, section 2 (RIFF container). */
import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput, LimitExceeded } from '../../../extraction-error.ts';
import { ReadWindow } from '../read-window.ts';
import { type Block, MAX_BLOCK_LENGTH } from './block.ts';

const KINDS: ReadonlyMap<string, 'exif' | 'xmp'> = new Map([
  ['EXIF', 'exif'],
  ['XMP ', 'xmp'],
]);
const latin = new TextDecoder('latin1');
const EXIF_HEAD = 'Exif\0\0';

/** The chunks of its RIFF container. */
export async function* webpBlocks(input: RandomAccess): AsyncGenerator<Block> {
  const window = new ReadWindow(input);
  for (let at = 12; at < input.size; ) {
    const head = await window.read(at, at + 8);
    if (head.length < 8) throw new CorruptInput('truncated WebP image');
    const length = new DataView(head.buffer, head.byteOffset).getUint32(4, true);
    const is = KINDS.get(latin.decode(head.subarray(0, 4)));
    if (at + 8 + length > input.size) throw new CorruptInput('truncated WebP image');
    if (is !== undefined) {
      if (length > MAX_BLOCK_LENGTH) throw new LimitExceeded('picture metadata');
      const bytes = await window.read(at + 8, at + 8 + length);
      yield { is, bytes: is === 'exif' ? withoutHead(bytes) : bytes };
    }
    at += 8 + length + (length % 2);
  }
}

/** Some writers put the head of JPEG's segment before it. */
function withoutHead(bytes: Uint8Array): Uint8Array {
  return latin.decode(bytes.subarray(0, 6)) === EXIF_HEAD ? bytes.subarray(6) : bytes;
}
