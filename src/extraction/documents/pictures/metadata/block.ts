/** A metadata block of a picture file, undecoded. */
export type Block =
  | { readonly is: 'exif' | 'xmp' | 'photoshop'; readonly bytes: Uint8Array }
  | { readonly is: 'text'; readonly name: string; readonly text: string };

/** Longer metadata is not about the picture; it is the picture in another form, or an attack. */
export const MAX_BLOCK_LENGTH: number = 16 * 1024 * 1024;

const strict = new TextDecoder('utf-8', { fatal: true });
const latin = new TextDecoder('latin1');

/** UTF-8 if valid, else Latin-1: most formats require ASCII, but programs don't always respect that. */
export function textOf(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return latin.decode(bytes);
  }
}
