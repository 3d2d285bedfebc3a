/** Files of pictures with metadata; the pictures themselves are empty. */

type Value = string | number | Buffer | readonly (readonly [number, number])[] | Fields;
export type Fields = ReadonlyMap<number, Value>;

const ASCII = 2;
const LONG = 4;
const RATIONAL = 5;
const UNDEFINED = 7;

/** Strings are ASCII, numbers long, pairs rational, buffers undefined, maps directories of their own. */
export function tiffOf(pages: readonly Fields[], little = true): Buffer {
  const writer = new TiffWriter(little);
  return writer.write(pages);
}

class TiffWriter {
  readonly #little: boolean;
  readonly #parts: Buffer[] = [];
  #length = 8;

  constructor(little: boolean) {
    this.#little = little;
  }

  write(pages: readonly Fields[]): Buffer {
    let next = 0;
    for (const page of pages.toReversed()) next = this.#directory(page, next);
    const head = Buffer.concat([
      Buffer.from(this.#little ? 'II' : 'MM'),
      this.#number(42, 2),
      this.#number(next, 4),
    ]);
    return Buffer.concat([head, ...this.#parts]);
  }

  #directory(fields: Fields, next: number): number {
    const entries = [...fields].map(([tag, value]) => this.#entry(tag, value));
    return this.#put(Buffer.concat([this.#number(entries.length, 2), ...entries, this.#number(next, 4)]));
  }

  #entry(tag: number, value: Value): Buffer {
    const [type, count, bytes] = this.#encoded(value);
    const inside = bytes.length <= 4;
    const last = inside
      ? Buffer.concat([bytes, Buffer.alloc(4 - bytes.length)])
      : this.#number(this.#put(bytes), 4);
    return Buffer.concat([this.#number(tag, 2), this.#number(type, 2), this.#number(count, 4), last]);
  }

  #encoded(value: Value): [type: number, count: number, bytes: Buffer] {
    if (typeof value === 'string') return [ASCII, Buffer.byteLength(value) + 1, Buffer.from(`${value}\0`)];
    if (typeof value === 'number') return [LONG, 1, this.#number(value, 4)];
    if (Buffer.isBuffer(value)) return [UNDEFINED, value.length, value];
    if (value instanceof Map) return [LONG, 1, this.#number(this.#directory(value, 0), 4)];
    const pairs = [...(value as readonly (readonly [number, number])[])];
    const parts = pairs.flatMap((pair) => pair.map((part) => this.#number(part, 4)));
    return [RATIONAL, pairs.length, Buffer.concat(parts)];
  }

  #put(bytes: Buffer): number {
    const at = this.#length;
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return at;
  }

  #number(value: number, size: number): Buffer {
    const bytes = Buffer.alloc(size);
    if (this.#little) bytes.writeUIntLE(value, 0, size);
    else bytes.writeUIntBE(value, 0, size);
    return bytes;
  }
}

/** A picture taken at the Eiffel tower, with its author. */
export function exifOf(little = true): Buffer {
  const gps = new Map<number, Value>([
    [1, 'N'],
    [
      2,
      [
        [48, 1],
        [51, 1],
        [3024, 100],
      ],
    ],
    [3, 'E'],
    [
      4,
      [
        [2, 1],
        [17, 1],
        [4020, 100],
      ],
    ],
  ]);
  const details = new Map<number, Value>([
    [0xa430, 'Maria Sanchez'],
    [0xa431, '082024001'],
  ]);
  return tiffOf(
    [
      new Map<number, Value>([
        [0x013b, 'M. Sanchez'],
        [0x8769, details],
        [0x8825, gps],
      ]),
    ],
    little,
  );
}

export const XMP: string =
  '<?xpacket begin="" id="W5M0"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description rdf:about="" ' +
  'photoshop:City="Paris" xmpMM:DocumentID="xmp.did:1"><dc:creator><rdf:Seq><rdf:li>Maria &amp; José</rdf:li>' +
  '</rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>';

export function jpegOf(...segments: readonly (readonly [code: number, data: Buffer])[]): Buffer {
  const parts = segments.map(([code, data]) => {
    const head = Buffer.from([0xff, code, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, data]);
  });
  const frame = Buffer.from('ffc0000b080010002001011100', 'hex'); // 32 × 16
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    ...parts,
    frame,
    Buffer.from('ffda0008010100003f00ffd9', 'hex'),
  ]);
}

export function exifSegment(exif: Buffer): readonly [number, Buffer] {
  return [0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif])];
}

export function webpOf(...chunks: readonly (readonly [type: string, data: Buffer])[]): Buffer {
  const parts = chunks.map(([type, data]) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  });
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts]);
  const head = Buffer.from('RIFF\0\0\0\0');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** A still or moving picture of one pixel per frame. */
export function gifOf(comment: string, frames = 1): Buffer {
  const frame = Buffer.from('2c0000000001000100000202440100', 'hex');
  const text = Buffer.from(comment);
  return Buffer.concat([
    Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1'),
    Buffer.from([0x21, 0xfe, text.length]),
    text,
    Buffer.alloc(1),
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
  ]);
}

/** The packet verbatim, and the magic trailer that leads parsers of sub-blocks to the end. */
export function gifWithXmp(packet: string): Buffer {
  const gif = gifOf('by Maria');
  const slide = Buffer.from([1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0]);
  const extension = [Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1'), Buffer.from(packet), slide];
  return Buffer.concat([gif.subarray(0, -1), ...extension, gif.subarray(-1)]);
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** One item, EXIF, at the end of the file. */
export function heicOf(exif: Buffer): Buffer {
  const item = Buffer.concat([Buffer.from([0, 0, 0, 6]), Buffer.from('Exif\0\0'), exif]);
  const build = (at: number) => {
    const place = Buffer.alloc(8);
    place.writeUInt32BE(at, 0);
    place.writeUInt32BE(item.length, 4);
    const name = box('infe', Buffer.from('020000000001000045786966', 'hex'), Buffer.alloc(1));
    const names = box('iinf', Buffer.from('000000000001', 'hex'), name);
    const places = box('iloc', Buffer.from('000000004400000100010000' + '0001', 'hex'), place);
    return Buffer.concat([
      box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')),
      box('meta', Buffer.alloc(4), names, places),
      box('mdat', item),
    ]);
  };
  return build(build(0).length - item.length);
}
