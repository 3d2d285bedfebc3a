/** Draws pictures of text that OCR can read: letters and digits of "CARD 4111". */
import { crc32, deflateSync } from 'node:zlib';
import type { Pixels } from './pixels.ts';

// Five columns of seven bits for each character, the lowest bit at the top.
const GLYPHS: Readonly<Record<string, string>> = {
  '1': '00427f4000',
  '4': '1814127f10',
  A: '7e1111117e',
  C: '3e41414122',
  D: '7f4141221c',
  R: '7f09192946',
};

/** Black on white, one line below the other. */
export function drawText(lines: readonly string[], scale = 6): Pixels {
  const width = scale * (6 * Math.max(...lines.map((line) => line.length)) + 8);
  const height = scale * (14 * lines.length + 8);
  const data = new Uint8Array(width * height).fill(255);
  for (const [row, line] of lines.entries()) {
    for (const [column, character] of [...line].entries()) {
      const glyph = Buffer.from(GLYPHS[character] ?? '', 'hex');
      for (const [x, bits] of glyph.entries()) {
        for (let y = 0; y < 7; y++) {
          if (((bits >> y) & 1) === 0) continue;
          const left = scale * (4 + 6 * column + x);
          for (let dy = 0; dy < scale; dy++) {
            const start = (scale * (4 + 14 * row + y) + dy) * width + left;
            data.fill(0, start, start + scale);
          }
        }
      }
    }
  }
  return { width, height, data, form: 'grey' };
}

export function pngOf({ width, height, data }: Pixels, ...chunks: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8; // bits, grey
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    ...chunks,
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}
