import type { Pixels } from './pixels.ts';

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
