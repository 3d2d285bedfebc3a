/** A key byte by byte, each with the folder and the place in the name where it stands; and what was met there. */
import { type Alphabet, Sightings } from './alphabet.ts';

const SLASH = 0x2f;

/** What was met in the names of one folder, or of all folders of one depth, place by place. */
export class Names {
  readonly places: Sightings[] = [];

  at(place: number): Sightings {
    this.places[place] ??= new Sightings();
    return this.places[place];
  }
}

export class Folder {
  readonly names = new Names();
  readonly below = new Map<string, Folder>();
  alphabets: Alphabet[] = [];

  child(name: string): Folder {
    let child = this.below.get(name);
    if (child === undefined) {
      child = new Folder();
      this.below.set(name, child);
    }
    return child;
  }
}

export interface Step {
  readonly folder: Folder;
  readonly depth: number;
  /** Counts characters by four: the later bytes of one have places of their own. */
  readonly place: number;
  readonly byte: number;
}

export function stepsThrough(root: Folder, key: string): Step[] {
  let folder = root;
  let [depth, place, start] = [0, -4, 0];
  return Array.from(key, (character, at) => {
    const byte = character.charCodeAt(0);
    place = isLater(byte) ? Math.max(0, place) + 1 : (place & ~3) + 4;
    const step = { folder, depth, place, byte };
    if (byte === SLASH) {
      folder = folder.child(key.slice(start, at));
      depth++;
      [place, start] = [-4, at + 1];
    }
    return step;
  });
}

/** Where the byte after this key stands: it may be a later one of the last character, or the first of another. */
export function stepAfter(root: Folder, key: string): Step {
  let lead = key.length - 1;
  while (lead >= 0 && isLater(key.charCodeAt(lead))) lead--;
  const wanted = lead < 0 ? 0 : lengthOf(key.charCodeAt(lead));
  return stepsThrough(root, key + (key.length - lead < wanted ? '\x80' : '0')).at(-1)!;
}

export function commonSteps(a: readonly Step[], b: readonly Step[]): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at]!.byte === b[at]!.byte) at++;
  return at;
}

/** Not the first byte of a character. */
function isLater(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** How many bytes a character has that begins with this one. */
function lengthOf(byte: number): number {
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}
