import { CorruptInput, Unsupported } from '../../extraction-error.ts';
import type { PictureType } from './picture-type.ts';
import { inMemory } from './read-window.ts';
import { Tiff } from './tiff.ts';

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** From the header alone, because decoding may exhaust memory before the size is known. */
export async function dimensionsOf(picture: Uint8Array, type: PictureType): Promise<Dimensions> {
  if (type === 'TIFF image') return await tiffDimensions(picture);
  try {
    return headerDimensions(picture, type);
  } catch (error) {
    if (error instanceof RangeError) throw new CorruptInput(`truncated ${type}`);
    throw error;
  }
}

/** Reading past the end is a RangeError of the view. */
function headerDimensions(picture: Uint8Array, type: PictureType): Dimensions {
  const view = new DataView(picture.buffer, picture.byteOffset, picture.length);
  if (type === 'PNG image') return { width: view.getUint32(16), height: view.getUint32(20) };
  if (type === 'GIF image') return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (type === 'BMP image') {
    return { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
  }
  if (type === 'WebP image') return webpDimensions(view);
  if (type === 'JPEG image') return jpegDimensions(view);
  if (type === 'PNM image') return pnmDimensions(picture);
  throw new Unsupported(type);
}

function jpegDimensions(view: DataView): Dimensions {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) throw new CorruptInput('JPEG image');
    const code = view.getUint8(at + 1);
    if (code === 0xff) at++;
    else if (code <= 1 || (code >= 0xd0 && code <= 0xd8)) at += 2;
    else if (isFrame(code)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    else at += 2 + view.getUint16(at + 2);
  }
}

/** All kinds of frames; three codes among them are tables. */
function isFrame(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
}

/** The first chunk has one of three types, each with its own encoding. */
function webpDimensions(view: DataView): Dimensions {
  const chunk = view.getUint32(12);
  if (chunk === 0x56503858) return { width: 1 + medium(view, 24), height: 1 + medium(view, 27) };
  if (chunk === 0x56503820) {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (chunk !== 0x5650384c) throw new CorruptInput('WebP image');
  const bits = view.getUint32(21, true);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}

function medium(view: DataView, at: number): number {
  return view.getUint16(at, true) + 65_536 * view.getUint8(at + 2);
}

function pnmDimensions(picture: Uint8Array): Dimensions {
  const head = Buffer.from(picture.subarray(0, 1024)).toString('latin1').replace(/#.*/g, '');
  const found = /^P\d\s+(\d{1,9})\s+(\d{1,9})\s/.exec(head);
  if (found === null) throw new CorruptInput('PNM image');
  return { width: Number(found[1]), height: Number(found[2]) };
}

async function tiffDimensions(picture: Uint8Array): Promise<Dimensions> {
  const tiff = await Tiff.open(inMemory(picture));
  const { fields } = await tiff.directory(tiff.first);
  const [width] = await tiff.numbers(fields.get(0x0100));
  const [height] = await tiff.numbers(fields.get(0x0101));
  if (!(width! > 0) || !(height! > 0)) throw new CorruptInput('TIFF image');
  return { width: width!, height: height! };
}
