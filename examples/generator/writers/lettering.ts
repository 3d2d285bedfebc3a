/** Grey pictures, and words drawn into them. */
import { pngChunk } from '../../../src/extraction/documents/pictures/picture.fixture.ts';
import { zlibbed } from './deflate.ts';

/** Five columns of seven points for each character, the lowest bit at the top. */
const LETTERS: Readonly<Record<string, string>> = {
  A: '7e1111117e',
  B: '7f49494936',
  C: '3e41414122',
  D: '7f4141221c',
  E: '7f49494941',
  F: '7f09090901',
  G: '3e4149497a',
  H: '7f0808087f',
  I: '00417f4100',
  J: '2040413f01',
  K: '7f08142241',
  L: '7f40404040',
  M: '7f020c027f',
  N: '7f0408107f',
  O: '3e4141413e',
  P: '7f09090906',
  Q: '3e4151215e',
  R: '7f09192946',
  S: '4649494931',
  T: '01017f0101',
  U: '3f4040403f',
  V: '1f2040201f',
  W: '3f4038403f',
  X: '6314081463',
  Y: '0708700807',
  Z: '6151494543',
  0: '3e4141413e',
  1: '00427f4000',
  2: '4261514946',
  3: '2141454b31',
  4: '1814127f10',
  5: '2745454539',
  6: '3c4a494930',
  7: '0171090503',
  8: '3649494936',
  9: '064949291e',
  ':': '0036360000',
  '-': '0808080808',
  '.': '0060600000',
};

const PEN = 0.62;

/** Black on white, one line below the other, as with a round pen that goes from dot to dot; `scale` points between two dots. */
export function lettering(lines: readonly string[], scale = 4): Buffer {
  const width = scale * (6 * Math.max(...lines.map((line) => line.length)) + 8);
  const height = scale * (12 * lines.length + 8);
  const rows = Array.from({ length: height }, () => Buffer.alloc(width, 0xff));
  for (const [n, line] of lines.entries())
    for (const [m, character] of [...line].entries())
      for (const stroke of strokesOf(character)) draw(rows, stroke, 4 + 6 * m, 5 + 12 * n, scale);
  return png(rows);
}

/** From one dot to one beside or below it. */
interface Stroke {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

/** Dots that touch are joined; those that touch at a corner only where there is no other way. */
function strokesOf(character: string): Stroke[] {
  const columns = Buffer.from(LETTERS[character] ?? '', 'hex');
  const dot = (x: number, y: number) => (((columns[x] ?? 0) >> y) & 1) === 1;
  const strokes: Stroke[] = [];
  for (let x = 0; x < 5; x++)
    for (let y = 0; y < 7; y++) {
      if (!dot(x, y)) continue;
      strokes.push({ x, y, dx: 0, dy: 0 });
      if (dot(x + 1, y)) strokes.push({ x, y, dx: 1, dy: 0 });
      if (dot(x, y + 1)) strokes.push({ x, y, dx: 0, dy: 1 });
      if (dot(x + 1, y + 1) && !dot(x + 1, y) && !dot(x, y + 1)) strokes.push({ x, y, dx: 1, dy: 1 });
      if (dot(x - 1, y + 1) && !dot(x - 1, y) && !dot(x, y + 1)) strokes.push({ x, y, dx: -1, dy: 1 });
    }
  return strokes;
}

function draw(
  rows: readonly Buffer[],
  { x, y, dx, dy }: Stroke,
  left: number,
  top: number,
  scale: number,
): void {
  const [fromX, fromY] = [left + x, top + y];
  for (let py = Math.floor((fromY - 1) * scale); py < (fromY + 2) * scale; py++)
    for (let px = Math.floor((fromX - 2) * scale); px < (fromX + 2) * scale; px++) {
      const [rx, ry] = [px / scale - fromX, py / scale - fromY];
      const along = Math.min(1, Math.max(0, (rx * dx + ry * dy) / (dx * dx + dy * dy || 1)));
      const away = (Math.sqrt((rx - along * dx) ** 2 + (ry - along * dy) ** 2) - PEN) * scale;
      const grey = Math.round(255 * Math.min(1, Math.max(0, away + 0.5)));
      rows[py]![px] = Math.min(rows[py]![px]!, grey);
    }
}

/** `rows`: a byte for each point, 0 black. */
export function png(rows: readonly Uint8Array[]): Buffer {
  const head = Buffer.from('00000000000000000800000000', 'hex');
  head.writeUInt32BE(rows[0]!.length, 0);
  head.writeUInt32BE(rows.length, 4);
  const points = Buffer.concat(rows.flatMap((row) => [Buffer.alloc(1), row]));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    pngChunk('IDAT', zlibbed(points)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
