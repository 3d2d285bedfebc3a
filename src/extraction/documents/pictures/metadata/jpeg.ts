/** JPEG: ITU-T T.81, Annex B (markers). */
import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { ReadWindow } from '../read-window.ts';
import { type Block, textOf } from './block.ts';

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const COMMENT = 0xfe;
const EXIF_OR_XMP = 0xe1;
const PHOTOSHOP = 0xed;
const MAX_SEGMENTS = 10_000;

const HEADS = [
  ['exif', EXIF_OR_XMP, 'Exif\0\0'],
  ['xmp', EXIF_OR_XMP, 'http://ns.adobe.com/xap/1.0/\0'],
  ['photoshop', PHOTOSHOP, 'Photoshop 3.0\0'],
] as const;

/** The segments before the picture itself. */
export async function* jpegBlocks(input: RandomAccess): AsyncGenerator<Block> {
  const window = new ReadWindow(input);
  let at = 2;
  for (let segments = 0; segments < MAX_SEGMENTS; segments++) {
    const [mark, code = 0, high = 0, low = 0] = await window.read(at, at + 4);
    if (mark === undefined) throw new CorruptInput('truncated JPEG image');
    if (mark !== 0xff) throw new CorruptInput('JPEG image');
    if (code === START_OF_SCAN || code === END_OF_IMAGE) return;
    const length = hasNoLength(code) ? 0 : 256 * high + low;
    const segment = await window.read(at + 4, at + 2 + length);
    if (segment.length < length - 2) throw new CorruptInput('truncated JPEG image');
    if (code === COMMENT) yield { is: 'text', name: 'Comment', text: textOf(segment) };
    else yield* segmentBlocks(code, segment);
    // Marks may be preceded by any number of fill bytes.
    at += code === 0xff ? 1 : 2 + length;
  }
  throw new CorruptInput('JPEG image');
}

function hasNoLength(code: number): boolean {
  return code === 0xff || code <= 1 || (code >= 0xd0 && code <= 0xd8);
}

function* segmentBlocks(code: number, segment: Uint8Array): Generator<Block> {
  for (const [is, mark, head] of HEADS) {
    if (code === mark && begins(segment, head)) yield { is, bytes: segment.subarray(head.length) };
  }
}

function begins(segment: Uint8Array, head: string): boolean {
  for (let i = 0; i < head.length; i++) if (segment[i] !== head.charCodeAt(i)) return false;
  return true;
}
