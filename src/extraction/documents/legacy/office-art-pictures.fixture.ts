import { deflateSync } from 'node:zlib';
import { record } from './powerpoint/powerpoint-97.fixture.ts';

export interface PictureLayout {
  readonly sums?: 1 | 2;
  readonly packed?: boolean;
}

/** A metafile as Word and PowerPoint keep it. */
export function pictureRecord(picture: Buffer, { sums = 1, packed = true }: PictureLayout = {}): Buffer {
  const isEmf = picture.toString('latin1', 40, 44) === ' EMF';
  const header = Buffer.alloc(34);
  header.writeUInt32LE(picture.length, 0);
  header[32] = packed ? 0 : 0xfe;
  header[33] = 0xfe;
  const data = packed ? deflateSync(picture) : picture;
  return record(
    isEmf ? 0xf01a : 0xf01b,
    Buffer.concat([Buffer.alloc(16 * sums), header, data]),
    (isEmf ? 0x3d4 : 0x216) + sums - 1,
  );
}
