/** EXIF: CIPA DC-008 (Exif 2.32), section 4.6. */
import type { RandomAccess } from '../../../document-item.ts';
import { propertyLine } from '../../property.ts';
import { type Directory, type Field, Tiff } from '../tiff.ts';
import { textOf } from './block.ts';
import { iptcLines, photoshopLines } from './iptc.ts';
import { xmpLines } from './xmp.ts';

const EXIF = 0x8769;
const GPS = 0x8825;
const USER_COMMENT = 0x9286;
const XMP = 0x02bc;
const IPTC = 0x83bb;
const PHOTOSHOP = 0x8649;

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x010d, 'Document'],
  [0x010e, 'Description'],
  [0x010f, 'Make'],
  [0x0110, 'Model'],
  [0x0131, 'Software'],
  [0x0132, 'Date'],
  [0x013b, 'Artist'],
  [0x013c, 'Computer'],
  [0x8298, 'Copyright'],
  [0x9003, 'Date taken'],
  [0xa420, 'Image id'],
  [0xa430, 'Owner'],
  [0xa431, 'Serial number'],
  [0xa435, 'Lens serial number'],
  [0xc62f, 'Serial number'],
]);

/** Tags of Windows Explorer, in UTF-16. */
const WIDE_NAMES: ReadonlyMap<number, string> = new Map([
  [0x9c9b, 'Title'],
  [0x9c9c, 'Comment'],
  [0x9c9d, 'Author'],
  [0x9c9e, 'Keywords'],
  [0x9c9f, 'Subject'],
]);

const wide = { little: new TextDecoder('utf-16le'), big: new TextDecoder('utf-16be') };

/** Personal and location data in the directories of a TIFF file or of EXIF data. */
export async function* exifLines(input: RandomAccess): AsyncGenerator<string> {
  const tiff = await Tiff.open(input);
  for await (const directory of tiff.chain()) {
    yield* fieldLines(tiff, directory);
    const details = await below(tiff, directory, EXIF);
    if (details !== null) yield* fieldLines(tiff, details);
    const position = await below(tiff, directory, GPS);
    if (position !== null) yield* positionLine(tiff, position);
  }
}

async function below(tiff: Tiff, { fields }: Directory, tag: number): Promise<Directory | null> {
  const [at] = await tiff.numbers(fields.get(tag));
  return at === undefined ? null : await tiff.directory(at);
}

async function* fieldLines(tiff: Tiff, { fields }: Directory): AsyncGenerator<string> {
  for (const [tag, field] of fields) {
    const name = NAMES.get(tag);
    const wideName = WIDE_NAMES.get(tag);
    if (name !== undefined) yield* propertyLine(name, textOf(await tiff.bytes(field)));
    else if (wideName !== undefined)
      yield* propertyLine(wideName, wide.little.decode(await tiff.bytes(field)));
    else if (tag === USER_COMMENT)
      yield* propertyLine('Comment', commentOf(await tiff.bytes(field), tiff.little));
    else yield* packedLines(tiff, tag, field);
  }
}

async function* packedLines(tiff: Tiff, tag: number, field: Field): AsyncGenerator<string> {
  if (tag === XMP) yield* xmpLines(await tiff.bytes(field));
  if (tag === IPTC) yield* iptcLines(await tiff.bytes(field));
  if (tag === PHOTOSHOP) yield* photoshopLines(await tiff.bytes(field));
}

/** Eight bytes name the encoding. */
function commentOf(bytes: Uint8Array, little: boolean): string {
  const encoding = textOf(bytes.subarray(0, 8));
  const text = bytes.subarray(8);
  if (encoding.startsWith('UNICODE')) return (little ? wide.little : wide.big).decode(text);
  return textOf(text);
}

async function* positionLine(tiff: Tiff, { fields }: Directory): AsyncGenerator<string> {
  const latitude = await degrees(tiff, fields.get(1), fields.get(2), 90);
  const longitude = await degrees(tiff, fields.get(3), fields.get(4), 180);
  if (latitude !== null && longitude !== null) yield `GPS: ${latitude}, ${longitude}`;
}

async function degrees(
  tiff: Tiff,
  reference: Field | undefined,
  value: Field | undefined,
  max: number,
): Promise<number | null> {
  const [whole, minutes = 0, seconds = 0] = await tiff.numbers(value);
  if (whole === undefined) return null;
  const side = reference === undefined ? '' : textOf(await tiff.bytes(reference)).charAt(0);
  const size = whole + (minutes || 0) / 60 + (seconds || 0) / 3600;
  if (!(size >= 0 && size <= max)) return null;
  return Number((side === 'S' || side === 'W' ? -size : size).toFixed(6));
}
