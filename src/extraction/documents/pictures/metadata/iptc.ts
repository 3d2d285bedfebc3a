/** IPTC-IIM 4.2; image resource blocks: "Adobe Photoshop File Formats Specification". */
import { propertyLine } from '../../property.ts';
import { textOf } from './block.ts';

const NAMES: ReadonlyMap<number, string> = new Map([
  [5, 'Title'],
  [25, 'Keywords'],
  [40, 'Instructions'],
  [80, 'Author'],
  [90, 'City'],
  [92, 'Location'],
  [95, 'State'],
  [101, 'Country'],
  [105, 'Headline'],
  [110, 'Credit'],
  [115, 'Source'],
  [116, 'Copyright'],
  [118, 'Contact'],
  [120, 'Description'],
  [122, 'Writer'],
]);

const APPLICATION = 2;
const IPTC_RESOURCE = 0x0404;

/** IIM data sets: a marker, two numbers, a length and a text. */
export function* iptcLines(bytes: Uint8Array): Generator<string> {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const [mark, record, set, high = 0, low = 0] = bytes.subarray(at, at + 5);
    const length = 256 * high + low;
    // Lengths above 32 KB have another encoding, which is not used in practice.
    if (mark !== 0x1c || length > 0x7fff) return;
    const name = record === APPLICATION ? NAMES.get(set ?? 0) : undefined;
    if (name !== undefined) yield* propertyLine(name, textOf(bytes.subarray(at + 5, at + 5 + length)));
    at += 5 + length;
  }
}

/** Resources of Photoshop: "8BIM", a number, a name of even length, a length and data of even length. */
export function* photoshopLines(bytes: Uint8Array): Generator<string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + 12 <= bytes.length; ) {
    if (view.getUint32(at) !== 0x3842494d) return;
    const id = view.getUint16(at + 4);
    const start = at + 6 + even(1 + bytes[at + 6]!) + 4;
    if (start > bytes.length) return;
    const length = view.getUint32(start - 4);
    if (id === IPTC_RESOURCE) yield* iptcLines(bytes.subarray(start, start + length));
    at = start + even(length);
  }
}

function even(length: number): number {
  return length + (length % 2);
}
