/** Pixels as PNM, which is a short header and raw pixels: the format that OCR decodes fastest. */
import { CorruptInput, Unsupported } from '../../extraction-error.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Row by row without gaps; rows of single bits fill their last byte up. A bit that is set is white. */
  readonly data: Uint8Array | Uint8ClampedArray;
  readonly form: 'bits' | 'grey' | 'rgb' | 'rgba';
}

export function pnmOf({ width, height, data, form }: Pixels): Uint8Array {
  if (form === 'grey') return withHead(`P5 ${width} ${height} 255\n`, data);
  if (form === 'rgb') return withHead(`P6 ${width} ${height} 255\n`, data);
  if (form === 'bits') {
    return withHead(
      `P4 ${width} ${height}\n`,
      data.map((byte) => ~byte),
    );
  }
  return withHead(`P6 ${width} ${height} 255\n`, onWhite(data));
}

/** Transparent pixels show the paper. */
function onWhite(rgba: Uint8Array | Uint8ClampedArray): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
    const alpha = rgba[from + 3]!;
    const paper = 255 - alpha;
    rgb[to] = (rgba[from]! * alpha) / 255 + paper;
    rgb[to + 1] = (rgba[from + 1]! * alpha) / 255 + paper;
    rgb[to + 2] = (rgba[from + 2]! * alpha) / 255 + paper;
  }
  return rgb;
}

function withHead(head: string, data: Uint8Array | Uint8ClampedArray): Uint8Array {
  const pnm = new Uint8Array(head.length + data.length);
  pnm.set(Buffer.from(head));
  pnm.set(data, head.length);
  return pnm;
}

/** A Windows bitmap without compression; other ones are rare. */
export function pixelsOfBitmap(bitmap: Uint8Array): Pixels {
  if (bitmap.length < 54) throw new CorruptInput('truncated BMP image');
  const view = new DataView(bitmap.buffer, bitmap.byteOffset, bitmap.length);
  const start = view.getUint32(10, true);
  const width = view.getInt32(18, true);
  const rows = view.getInt32(22, true);
  const bits = view.getUint16(28, true);
  const compression = view.getUint32(30, true);
  if ((bits !== 24 && bits !== 32) || (compression !== 0 && compression !== 3))
    throw new Unsupported('BMP image');
  const height = Math.abs(rows);
  const stride = 4 * Math.ceil((width * bits) / 32);
  if (width <= 0 || start + stride * height > bitmap.length) throw new CorruptInput('truncated BMP image');
  const data = new Uint8Array(3 * width * height);
  for (let row = 0, to = 0; row < height; row++) {
    // The last row comes first, unless the height is negative; a pixel is blue, green, red.
    let from = start + stride * (rows > 0 ? height - 1 - row : row);
    for (let x = 0; x < width; x++, from += bits / 8) {
      data[to++] = bitmap[from + 2]!;
      data[to++] = bitmap[from + 1]!;
      data[to++] = bitmap[from]!;
    }
  }
  return { width, height, data, form: 'rgb' };
}

/** Rotates a picture clockwise as its page specifies: OCR only reads upright text. */
export function rotated(pixels: Pixels, degrees: number): Pixels {
  if (degrees !== 90 && degrees !== 180 && degrees !== 270) return pixels;
  const { width, height, data, form } = wholeBytes(pixels);
  const size = form === 'grey' ? 1 : form === 'rgb' ? 3 : 4;
  const across = degrees !== 180;
  const target = new Uint8Array(data.length);
  const newWidth = across ? height : width;
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0; x < width; x++, from += size) {
      const column = degrees === 90 ? height - 1 - y : degrees === 180 ? width - 1 - x : y;
      const row = degrees === 90 ? x : degrees === 180 ? height - 1 - y : width - 1 - x;
      const to = (row * newWidth + column) * size;
      for (let i = 0; i < size; i++) target[to + i] = data[from + i]!;
    }
  }
  return { width: newWidth, height: across ? width : height, data: target, form };
}

/** Single bits are hard to turn. */
function wholeBytes(pixels: Pixels): Pixels {
  if (pixels.form !== 'bits') return pixels;
  const { width, height, data } = pixels;
  const stride = Math.ceil(width / 8);
  const grey = new Uint8Array(width * height);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to++) {
      grey[to] = (data[y * stride + (x >> 3)]! >> (7 - (x & 7))) & 1 ? 255 : 0;
    }
  }
  return { width, height, data: grey, form: 'grey' };
}
