/** Writes metafiles record by record. */

export interface Drawn {
  readonly x?: number;
  readonly y?: number;
  /** Of each letter; null: omitted. */
  readonly width?: number | null;
  readonly options?: number;
}

const SIXTEEN_BYTES = Buffer.alloc(16);

export function longs(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeInt32LE(value | 0, 4 * i);
  return bytes;
}

export function shorts(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) bytes.writeInt16LE((value << 16) >> 16, 2 * i);
  return bytes;
}

export function emfOf(...records: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(80);
  header.write(' EMF', 32, 'latin1');
  header.writeUInt32LE(0x10000, 36);
  return Buffer.concat([emfRecord(1, header), ...records, emfRecord(14, longs(0, 16, 20))]);
}

export function emfRecord(type: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const padding = Buffer.alloc(-content.length & 3);
  return Buffer.concat([longs(type, 8 + content.length + padding.length), content, padding]);
}

/** 84: in UTF-16; 83: in bytes. */
export function emfText(text: string | Buffer, drawn: Drawn = {}): Buffer {
  const { x = 0, y = 0, width = 5, options = 0 } = drawn;
  const bytes = typeof text === 'string' ? Buffer.from(text, 'utf16le') : text;
  const padding = Buffer.alloc(-bytes.length & 3);
  const widths = width === null ? Buffer.alloc(0) : longs(...new Array<number>(text.length).fill(width));
  const at = 76 + bytes.length + padding.length;
  return emfRecord(
    typeof text === 'string' ? 84 : 83,
    SIXTEEN_BYTES,
    longs(1, 0, 0, x, y, text.length, 76, options),
    SIXTEEN_BYTES,
    longs(width === null ? 0 : at),
    bytes,
    padding,
    widths,
  );
}

/** Several in one record, each in UTF-16. */
export function emfTexts(...texts: readonly string[]): Buffer {
  let at = 40 + 40 * texts.length;
  const described = texts.map((text, i) => {
    const from = at;
    at += 2 * text.length;
    return Buffer.concat([longs(0, 100 * i, text.length, from, 0), SIXTEEN_BYTES, longs(0)]);
  });
  const letters = texts.map((text) => Buffer.from(text, 'utf16le'));
  return emfRecord(97, SIXTEEN_BYTES, longs(1, 0, 0, texts.length), ...described, ...letters);
}

export function emfSmallText(text: string, options: number): Buffer {
  const rectangle = (options & 0x100) === 0 ? SIXTEEN_BYTES : Buffer.alloc(0);
  const letters = Buffer.from(text, (options & 0x200) === 0 ? 'utf16le' : 'latin1');
  return emfRecord(108, longs(0, 0, text.length, options, 1, 0, 0), rectangle, letters);
}

/** Creates and selects it. */
export function emfFont(index: number, height: number, charset = 0): Buffer {
  const font = Buffer.alloc(92);
  font.writeInt32LE(height, 0);
  font[23] = charset;
  return Buffer.concat([emfRecord(82, longs(index), font), emfRecord(37, longs(index))]);
}

/** The newer records, in a comment. */
export function emfPlus(
  ...records: readonly (readonly [type: number, flags: number, data: Buffer])[]
): Buffer {
  const written = records.map(([type, flags, data]) => {
    const padding = Buffer.alloc(-data.length & 3);
    return Buffer.concat([
      shorts(type, flags),
      longs(12 + data.length + padding.length, data.length),
      data,
      padding,
    ]);
  });
  const content = Buffer.concat([Buffer.from('EMF+'), ...written]);
  return emfRecord(70, longs(content.length), content);
}

export function plusString(text: string): readonly [number, number, Buffer] {
  const head = Buffer.concat([longs(0, 0, text.length), SIXTEEN_BYTES]);
  return [0x401c, 0, Buffer.concat([head, Buffer.from(text, 'utf16le')])];
}

/** `flags` with 1: the letters are letters, not numbers in a font. */
export function plusDriverString(text: string, flags = 1): readonly [number, number, Buffer] {
  const head = longs(0, flags, 0, text.length);
  return [0x4036, 0, Buffer.concat([head, Buffer.from(text, 'utf16le'), Buffer.alloc(8 * text.length)])];
}

export function wmfOf(...records: readonly Buffer[]): Buffer {
  const all = [...records, wmfRecord(0)];
  const words = all.reduce((sum, { length }) => sum + length / 2, 9);
  const header = Buffer.concat([shorts(1, 9, 0x300), longs(words), shorts(4), longs(50), shorts(0)]);
  return Buffer.concat([header, ...all]);
}

/** As programs write it to a file: with a placeable header. */
export function placeable(wmf: Buffer): Buffer {
  return Buffer.concat([longs(0x9ac6cdd7), shorts(0, 0, 0, 100, 100, 96, 0, 0, 0), wmf]);
}

export function wmfRecord(type: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const padding = Buffer.alloc(content.length & 1);
  return Buffer.concat([longs((6 + content.length + padding.length) / 2), shorts(type), content, padding]);
}

/** With the width of each letter; null: with none. */
export function wmfText(text: string | Buffer, drawn: Drawn = {}): Buffer {
  const { x = 0, y = 0, width = 5, options = 0 } = drawn;
  const bytes = Buffer.from(text as string, 'latin1');
  const padding = Buffer.alloc(bytes.length & 1);
  const rectangle = Buffer.alloc((options & 6) === 0 ? 0 : 8);
  const widths = width === null ? [] : Array.from(bytes, () => width);
  const head = shorts(y, x, bytes.length, options);
  return wmfRecord(0x0a32, head, rectangle, bytes, padding, shorts(...widths));
}

/** The record of the oldest version. */
export function wmfPlainText(text: string, x = 0, y = 0): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return wmfRecord(0x0521, shorts(bytes.length), bytes, Buffer.alloc(bytes.length & 1), shorts(y, x));
}

export function wmfFont(height: number, charset = 0): Buffer {
  const font = Buffer.alloc(50);
  font.writeInt16LE(height, 0);
  font[13] = charset;
  return wmfRecord(0x02fb, font);
}
