import { describe, expect, it } from 'vitest';
import { dimensionsOf } from './dimensions.ts';
import { gifOf, jpegOf, tiffOf, webpOf } from './metadata/metadata.fixture.ts';
import { drawText, pngOf } from './picture.fixture.ts';
import { pictureType } from './picture-type.ts';

const measured = (file: Buffer) => dimensionsOf(file, pictureType(file)!);
const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');
const picture = drawText(['1'], 4);

describe('the dimensions of a picture', () => {
  it.each([
    ['JPEG', jpegOf([0xfe, Buffer.from('a comment')]), 32, 16],
    ['PNG', pngOf(picture), picture.width, picture.height],
    ['GIF', gifOf(''), 1, 1],
    [
      'TIFF',
      tiffOf([
        new Map([
          [0x0100, 640],
          [0x0101, 480],
        ]),
      ]),
      640,
      480,
    ],
    ['extended WebP', webpOf(['VP8X', hex('10000000 7f0200 df0100')]), 640, 480],
    ['lossy WebP', webpOf(['VP8 ', hex('000000 9d012a 8002 e001')]), 640, 480],
    ['lossless WebP', webpOf(['VP8L', hex('2f 7fc27700')]), 640, 480],
    ['BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(16), hex('80020000 20feffff')]), 640, 480],
    ['PNM', Buffer.from('P5\n# by hand\n640 480\n255\n'), 640, 480],
  ])('are read from the header of %s', async (_, file, width, height) => {
    expect(await measured(file)).toEqual({ width, height });
  });

  it.each([
    ['JPEG', jpegOf().subarray(0, 8), 'corrupt: truncated JPEG image'],
    ['PNG', pngOf(picture).subarray(0, 20), 'corrupt: truncated PNG image'],
    ['TIFF', tiffOf([new Map([[0x0100, 640]])]), 'corrupt: TIFF image'],
    ['WebP', webpOf(['JUNK', Buffer.alloc(20)]), 'corrupt: WebP image'],
    ['PNM', Buffer.from('P5 many'), 'corrupt: PNM image'],
  ])('are missing in a broken %s', async (_, file, reason) => {
    await expect(measured(file)).rejects.toThrow(reason);
  });
});
