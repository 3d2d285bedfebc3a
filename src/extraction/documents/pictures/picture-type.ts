export type PictureType =
  | 'JPEG image'
  | 'PNG image'
  | 'GIF image'
  | 'TIFF image'
  | 'WebP image'
  | 'BMP image'
  | 'HEIC image'
  | 'AVIF image'
  | 'PNM image'
  | 'EMF image'
  | 'WMF image';

const STARTS: readonly (readonly [kind: PictureType, start: RegExp])[] = [
  ['JPEG image', /^\xff\xd8\xff/],
  ['PNG image', /^\x89PNG\r\n/],
  ['GIF image', /^GIF8[79]a/],
  ['TIFF image', /^(?:II[*+]\0|MM\0[*+])/],
  ['WebP image', /^RIFF....WEBP/s],
  ['AVIF image', /^....ftypavi[fs]/s],
  ['HEIC image', /^....ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/s],
  ['BMP image', /^BM/],
  ['PNM image', /^P[1-6][\s#]/],
  ['EMF image', /^.\0\0\0.{36} EMF/s],
  ['WMF image', /^(?:\xd7\xcd\xc6\x9a|.\0\t\0\0.)/s],
];

/** Sufficient to detect all of them. */
export const PICTURE_HEAD = 44;

export function pictureType(head: Uint8Array): PictureType | null {
  const start = Buffer.from(head.subarray(0, PICTURE_HEAD)).toString('latin1');
  return STARTS.find(([, pattern]) => pattern.test(start))?.[0] ?? null;
}
