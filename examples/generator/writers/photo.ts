/** Photographs: grey squares of eight by eight points, in a real JPEG with what cameras write into it. */
import {
  exifSegment,
  type Fields,
  tiffOf,
} from '../../../src/extraction/documents/pictures/metadata/metadata.fixture.ts';

type Value = Fields extends ReadonlyMap<number, infer V> ? V : never;

export interface PhotoDetails {
  readonly owner: string;
  readonly description: string;
  /** As cameras write it: 2024:03:05 09:12:00. */
  readonly taken: string;
  /** In degrees, as text. */
  readonly north: string;
  readonly west: string;
}

/** Differences between squares have 0 to 8 bits; each number of bits has a code of four, itself. */
const BITS = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** `rows`: the brightness of each square, a digit. */
export function photo(rows: readonly string[], details: PhotoDetails): Buffer {
  const size = Buffer.from(Uint16Array.of(8 * rows.length, 8 * rows[0]!.length).buffer).swap16();
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    segment(...exifSegment(exifOf(details))),
    segment(0xdb, Buffer.concat([Buffer.of(0), Buffer.alloc(64, 8)])),
    segment(0xc0, Buffer.concat([Buffer.of(8), size, Buffer.of(1, 1, 0x11, 0)])),
    segment(0xc4, codes(0x00, 4, BITS)),
    segment(0xc4, codes(0x10, 1, [0])),
    segment(0xda, Buffer.of(1, 1, 0, 0, 63, 0)),
    scan(rows),
    Buffer.from('ffd9', 'hex'),
  ]);
}

function segment(code: number, data: Buffer): Buffer {
  const head = Buffer.of(0xff, code, 0, 0);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** A table of codes that all have the same length. */
function codes(table: number, length: number, symbols: readonly number[]): Buffer {
  const counts = Buffer.alloc(16);
  counts[length - 1] = symbols.length;
  return Buffer.concat([Buffer.of(table), counts, Buffer.from(symbols)]);
}

/** Of each square the difference to the one before it, and that nothing else is in it. */
function scan(rows: readonly string[]): Buffer {
  let bits = '';
  let before = 0;
  for (const digit of rows.join('')) {
    const value = Number(digit) * 28 - 126;
    const difference = value - before;
    const length = difference === 0 ? 0 : 32 - Math.clz32(Math.abs(difference));
    const written = difference < 0 ? difference + 2 ** length - 1 : difference;
    bits += length.toString(2).padStart(4, '0');
    bits += length === 0 ? '' : written.toString(2).padStart(length, '0');
    bits += '0';
    before = value;
  }
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2));
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));
}

function exifOf({ owner, description, taken, north, west }: PhotoDetails): Buffer {
  const details = new Map<number, Value>([
    [0x9003, taken],
    [0xa430, owner],
  ]);
  const place = new Map<number, Value>([
    [1, 'N'],
    [2, sexagesimal(Number(north))],
    [3, 'W'],
    [4, sexagesimal(Number(west))],
  ]);
  const fields = new Map<number, Value>([
    [0x010e, description],
    [0x010f, 'Otterbein'],
    [0x0110, 'Otterbein Pocket 3'],
    [0x013b, owner],
    [0x8769, details],
    [0x8825, place],
  ]);
  return tiffOf([fields]);
}

/** Degrees, minutes and hundredths of seconds. */
function sexagesimal(degrees: number): [number, number][] {
  const hundredths = Math.round(degrees * 360_000);
  return [
    [Math.floor(hundredths / 360_000), 1],
    [Math.floor(hundredths / 6000) % 60, 1],
    [hundredths % 6000, 100],
  ];
}
