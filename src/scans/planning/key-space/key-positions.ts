/** A key byte by byte, each with the folder and the place in the name where it stands; and what was met there. */
import { ByteCounts, type ByteDistribution } from './byte-distribution.ts';

const SLASH = 0x2f;

/** What was met in the names of one folder, or of all folders of one depth, place by place. */
export class NameBytes {
  readonly offsets: ByteCounts[] = [];

  at(place: number): ByteCounts {
    this.offsets[place] ??= new ByteCounts();
    return this.offsets[place];
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
  /** Counts characters by four: the later bytes of one have places of their own. */
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

/** Where the byte after this key stands: it may be a later one of the last character, or the first of another. */
export function nextKeyPosition(root: Folder, key: string): KeyPosition {
  let lead = key.length - 1;
  while (lead >= 0 && isContinuationByte(key.charCodeAt(lead))) lead--;
  const wanted = lead < 0 ? 0 : lengthOf(key.charCodeAt(lead));
  return keyPositions(root, key + (key.length - lead < wanted ? '\x80' : '0')).at(-1)!;
}

export function commonPrefixLength(a: readonly KeyPosition[], b: readonly KeyPosition[]): number {
  const max = Math.min(a.length, b.length);
  let at = 0;
  while (at < max && a[at]!.byte === b[at]!.byte) at++;
  return at;
}

/** Not the first byte of a character. */
function isContinuationByte(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** How many bytes a character has that begins with this one. */
function lengthOf(byte: number): number {
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}
