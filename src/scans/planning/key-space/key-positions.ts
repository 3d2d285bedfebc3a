/**
 * A key byte by byte, each with its folder and its position in the name; and the bytes seen at each
 * position.
 */
import { ByteCounts, type ByteDistribution } from './byte-distribution.ts';

const SLASH = 0x2f;

/** The bytes seen in the names of one folder, or of all folders of one depth, by position. */
export class NameBytes {
  readonly offsets: ByteCounts[] = [];

  at(offset: number): ByteCounts {
    this.offsets[offset] ??= new ByteCounts();
    return this.offsets[offset];
  }
}

export class Folder {
  readonly names = new NameBytes();
  readonly children = new Map<string, Folder>();
  distributions: ByteDistribution[] = [];

  child(name: string): Folder {
    let child = this.children.get(name);
    if (child === undefined) {
      child = new Folder();
      this.children.set(name, child);
    }
    return child;
  }
}

export interface KeyPosition {
  readonly folder: Folder;
  readonly depth: number;
  /** Four per character: continuation bytes have positions of their own. */
  readonly offset: number;
  readonly byte: number;
}

export function keyPositions(root: Folder, key: string): KeyPosition[] {
  let folder = root;
  let [depth, offset, start] = [0, -4, 0];
  return Array.from(key, (character, at) => {
    const byte = character.charCodeAt(0);
    offset = isContinuationByte(byte) ? Math.max(0, offset) + 1 : (offset & ~3) + 4;
    const step = { folder, depth, offset, byte };
    if (byte === SLASH) {
      folder = folder.child(key.slice(start, at));
      depth++;
      [offset, start] = [-4, at + 1];
    }
    return step;
  });
}

/**
 * The position of the byte after this key: a continuation byte of the last character, or the first of
 * another.
 */
export function nextKeyPosition(root: Folder, key: string): KeyPosition {
  let lead = key.length - 1;
  while (lead >= 0 && isContinuationByte(key.charCodeAt(lead))) lead--;
  const needed = lead < 0 ? 0 : lengthOf(key.charCodeAt(lead));
  return keyPositions(root, key + (key.length - lead < needed ? '\x80' : '0')).at(-1)!;
}

export function commonPrefixLength(a: readonly KeyPosition[], b: readonly KeyPosition[]): number {
  const max = Math.min(a.length, b.length);
  let at = 0;
  while (at < max && a[at]!.byte === b[at]!.byte) at++;
  return at;
}

/** A byte that does not start a character (RFC 3629). */
function isContinuationByte(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** The number of bytes of a character with this lead byte. */
function lengthOf(byte: number): number {
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}
