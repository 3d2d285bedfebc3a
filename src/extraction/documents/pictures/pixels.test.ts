import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Pixels, pixelsOfBitmap, pnmOf, rotated } from './pixels.ts';

const grey = (width: number, ...data: number[]): Pixels => ({
  width,
  height: data.length / width,
  data: Uint8Array.from(data),
  form: 'grey',
});
const pnm = (pixels: Pixels) => Buffer.from(pnmOf(pixels)).toString('latin1');

describe('pixels for OCR', () => {
  it('are written as they are', () => {
    expect(pnm(grey(2, 65, 66, 67, 68))).toBe('P5 2 2 255\nABCD');
    expect(pnm({ width: 1, height: 1, data: Buffer.from('rgb'), form: 'rgb' })).toBe('P6 1 1 255\nrgb');
  });

  it('of single bits are written the other way round', () => {
    expect(pnm({ width: 8, height: 1, data: Uint8Array.of(0x9e), form: 'bits' })).toBe('P4 8 1\na');
  });

  it('that are transparent show white paper', () => {
    const data = Uint8Array.of(0, 0, 0, 0, 10, 20, 30, 255);
    expect(pnm({ width: 2, height: 1, data, form: 'rgba' })).toBe('P6 2 1 255\n\xff\xff\xff\x0a\x14\x1e');
  });
});

describe('turning pixels', () => {
  it('is clockwise', () => {
    expect(rotated(grey(2, 1, 2, 3, 4, 5, 6), 90)).toEqual(grey(3, 5, 3, 1, 6, 4, 2));
    expect(rotated(grey(2, 1, 2, 3, 4, 5, 6), 180)).toEqual(grey(2, 6, 5, 4, 3, 2, 1));
    expect(rotated(grey(2, 1, 2, 3, 4, 5, 6), 270)).toEqual(grey(3, 2, 4, 6, 1, 3, 5));
  });

  it('makes bytes of bits', () => {
    const bits: Pixels = { width: 3, height: 1, data: Uint8Array.of(0b1010_0000), form: 'bits' };
    expect(rotated(bits, 90)).toEqual(grey(1, 255, 0, 255));
  });

  it('leaves alone what is upright or slanted', () => {
    const pixels = grey(2, 1, 2);
    expect([rotated(pixels, 0), rotated(pixels, 45)]).toEqual([pixels, pixels]);
  });

  it('four times changes nothing', () => {
    const pictures = fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
      .map(([width, height]) => ({
        width,
        height,
        form: 'rgb' as const,
        data: Uint8Array.from({ length: 3 * width * height }, (_, i) => i),
      }));
    fc.assert(
      fc.property(pictures, fc.constantFrom(90, 180, 270), (pixels, degrees) => {
        const around = [1, 2, 3, 4].reduce((before: Pixels) => rotated(before, degrees), pixels);
        expect(around).toEqual(pixels);
      }),
    );
  });
});

describe('a Windows bitmap', () => {
  function bitmap(bits: number, height: number, rows: string): Buffer {
    const head = Buffer.alloc(54);
    head.write('BM');
    head.writeUInt32LE(54, 10);
    head.writeInt32LE(1, 18);
    head.writeInt32LE(height, 22);
    head.writeUInt16LE(bits, 28);
    return Buffer.concat([head, Buffer.from(rows)]);
  }

  it('begins below and with blue', () => {
    expect(Buffer.from(pixelsOfBitmap(bitmap(24, 2, 'bgr.BGR.')).data).toString()).toBe('RGBrgb');
    expect(Buffer.from(pixelsOfBitmap(bitmap(32, -2, 'bgr.BGR.')).data).toString()).toBe('rgbRGB');
  });

  it('of few colours is not read', () => {
    expect(() => pixelsOfBitmap(bitmap(8, 1, '....'))).toThrow('unsupported format: BMP image');
  });

  it.each([
    ['cut off', bitmap(24, 2, 'bgr.BGR')],
    ['of an immense height', bitmap(24, -(2 ** 31), 'bgr.BGR.')],
    ['of nothing but a mark', Buffer.from('BM')],
  ])('%s is damage', (_, file) => {
    expect(() => pixelsOfBitmap(file)).toThrow('corrupt: truncated BMP image');
  });
});
