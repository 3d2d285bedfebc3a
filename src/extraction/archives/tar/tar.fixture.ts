/** Writes tar archives, the wrong ones included. */
export interface TarPart {
  readonly name: string;
  readonly data?: Uint8Array | string;
  readonly type?: string;
  /** Instead of the data's. */
  readonly size?: number;
  readonly link?: string;
  readonly prefix?: string;
  readonly magic?: 'ustar\x0000' | 'ustar  \0' | '';
  /** The size as bytes instead of digits. */
  readonly wide?: boolean;
  readonly sum?: 'signed' | 'wrong';
  /** Of a file with holes (type S): offsets and lengths of what is in the archive. */
  readonly map?: readonly (readonly [offset: number, length: number])[];
}

export const END = Buffer.alloc(1024);

export function tarOf(parts: readonly TarPart[], end = END): Buffer {
  return Buffer.concat([...parts.map(tarPart), end]);
}

export function tarPart(part: TarPart): Buffer {
  const data = Buffer.from(part.data ?? '');
  return Buffer.concat([
    headerOf(part, part.size ?? data.length),
    ...moreExtents(part.map?.slice(4) ?? []),
    data,
    Buffer.alloc((512 - (data.length % 512)) % 512),
  ]);
}

/** The lines of a pax header. */
export function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([key, value]) => {
      const rest = ` ${key}=${value}\n`;
      let length = Buffer.byteLength(rest);
      while (length !== Buffer.byteLength(`${length}${rest}`)) length = Buffer.byteLength(`${length}${rest}`);
      return `${length}${rest}`;
    })
    .join('');
}

function headerOf(part: TarPart, size: number): Buffer {
  const { name, type = '0', magic = 'ustar\x0000', link = '', prefix = '' } = part;
  const block = Buffer.alloc(512);
  block.write(name, 0, 100);
  block.write('0000644\x000000000\x000000000\0', 100, 'latin1');
  if (part.wide === true) {
    block.writeUInt8(0x80, 124);
    block.writeBigUInt64BE(BigInt(size), 128);
  } else {
    block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  }
  block.write('00000000000\0', 136);
  block.write(type, 156, 'latin1');
  block.write(link, 157, 100);
  block.write(magic, 257, 'latin1');
  block.write(prefix, 345, 155);
  if (part.map !== undefined) writeExtents(block, 386, part.map.slice(0, 4));
  if (part.map !== undefined && part.map.length > 4) block[482] = 1;
  block.fill(' ', 148, 156);
  let sum = part.sum === 'wrong' ? 1 : 0;
  for (const byte of block) sum += part.sum === 'signed' ? (byte << 24) >> 24 : byte;
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function moreExtents(map: NonNullable<TarPart['map']>): Buffer[] {
  return Array.from({ length: Math.ceil(map.length / 21) }, (_, i) => {
    const block = Buffer.alloc(512);
    writeExtents(block, 0, map.slice(21 * i, 21 * (i + 1)));
    block[504] = map.length > 21 * (i + 1) ? 1 : 0;
    return block;
  });
}

function writeExtents(block: Buffer, from: number, map: NonNullable<TarPart['map']>): void {
  for (const [i, number] of map.flat().entries())
    block.write(`${number.toString(8).padStart(11, '0')}\0`, from + 12 * i);
}
