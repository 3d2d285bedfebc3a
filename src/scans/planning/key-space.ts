/**
 * The space of keys with a measure: how much of it lies between two keys, as far as the keys met so far tell. A key's bytes are
 * digits of a number whose base changes from place to place, with what was met there. Where keys are spread evenly in this
 * space, so many keys to a measure stay so many further on.
 */
import type { Key } from '../../base/key.ts';
import { type Alphabet, alphabetOf, commonKinds, Sightings } from './alphabet.ts';
import { validUtf8 } from './valid-utf8.ts';

const SLASH = 0x2f;
const SMALLEST = 1e-280;
/** A folder is special once so many bytes were met at a place of its names. */
const ENOUGH = 6;

/** What was met in the names of one folder, or of all folders of one depth, place by place. */
class Names {
  readonly places: Sightings[] = [];

  at(place: number): Sightings {
    this.places[place] ??= new Sightings();
    return this.places[place];
  }
}

class Folder {
  readonly names = new Names();
  readonly below = new Map<string, Folder>();
  alphabets: Alphabet[] = [];
}

/** One byte of a key, with the folder and the place in the name where it stands. */
interface Step {
  readonly folder: Folder | null;
  readonly depth: number;
  readonly place: number;
  readonly byte: number;
}

export class KeySpace {
  readonly #root = new Folder();
  readonly #depths: Names[] = [];
  readonly #usual: Folder[] = [];
  readonly #steps = new Map<Key, readonly Step[]>();
  readonly #followed: number[] = [];
  readonly #left: number[] = [];
  #kinds: ReadonlySet<number>[] = [];
  #compiled: Folder[] = [];

  /** Keys in order, from one look. Each place counts where it differs from the key before. */
  learn(keys: readonly Key[]): void {
    let last: readonly Step[] = [];
    for (const key of keys) {
      const steps = this.#stepsOf(key);
      for (let at = common(last, steps); at < steps.length; at++) {
        const step = steps[at]!;
        for (const names of this.#namesOf(step)) names.at(step.place).meet(step.byte);
      }
      if (last.length > 0) this.#pass(last, steps);
      last = steps;
    }
    this.#forget();
  }

  /** From one key to the next: some folders are left, and in the one that holds both another follows. */
  #pass(from: readonly Step[], to: readonly Step[]): void {
    const fork = common(from, to);
    const depth = (from[fork] ?? to[fork])?.depth ?? 0;
    const deepest = from.at(-1)?.depth ?? 0;
    if (deepest > depth || (to.at(-1)?.depth ?? 0) > depth)
      this.#followed[depth] = (this.#followed[depth] ?? 0) + 1;
    for (let left = depth + 1; left <= deepest; left++) this.#left[left] = (this.#left[left] ?? 0) + 1;
  }

  /** How many folders follow one in the same folder of that depth, in the mean. */
  followers(depth: number): number {
    return ((this.#followed[depth] ?? 0) + 0.3) / ((this.#left[depth] ?? 0) + 1);
  }

  /** There is nothing between the two: none of the bytes between those where they part stands there. */
  learnEmpty(a: Key, b: Key | null): void {
    if (b === null) return;
    const from = this.#stepsOf(a);
    const to = this.#stepsOf(b);
    const fork = common(from, to);
    const high = to[fork];
    if (high === undefined) return;
    this.#pass(from, to);
    const low = from[fork]?.byte ?? -1;
    for (const names of this.#namesOf(high))
      names.at(high.place).miss(fork === from.length - 1 ? low - 1 : low, high.byte);
    this.#forget();
  }

  #namesOf({ folder, depth }: Step): Names[] {
    this.#depths[depth] ??= new Names();
    return folder === null ? [this.#depths[depth]] : [this.#depths[depth], folder.names];
  }

  #forget(): void {
    for (const folder of this.#compiled) folder.alphabets = [];
    this.#compiled = [];
    this.#usual.length = 0;
    this.#kinds = [];
  }

  #stepsOf(key: Key): readonly Step[] {
    let steps = this.#steps.get(key);
    if (steps === undefined) {
      steps = this.#walk(key);
      this.#steps.set(key, steps);
    }
    return steps;
  }

  /** Places count characters by four: the later bytes of one have places of their own. */
  #walk(key: string): Step[] {
    let folder = this.#root;
    let [depth, place, start] = [0, -4, 0];
    return Array.from(key, (character, at) => {
      const byte = character.charCodeAt(0);
      place = isLater(byte) ? Math.max(0, place) + 1 : (place & ~3) + 4;
      const step = { folder, depth, place, byte };
      if (byte === SLASH) {
        const name = key.slice(start, at);
        let next = folder.below.get(name);
        if (next === undefined) {
          next = new Folder();
          folder.below.set(name, next);
        }
        folder = next;
        depth++;
        [place, start] = [-4, at + 1];
      }
      return step;
    });
  }

  /** Of all of the space; never zero for a before b. */
  measure(a: Key, b: Key | null): number {
    const from = this.#stepsOf(a);
    const to = b === null ? [] : this.#stepsOf(b);
    const fork = b === null ? 0 : common(from, to);
    const end = b === null ? 1 : this.#fraction(to, fork);
    return this.#scale(from, fork) * Math.max(end - this.#fraction(from, fork), 1e-15);
  }

  /** The key at this share of the way from a to b; null when there is none strictly between. */
  between(a: Key, b: Key | null, share: number): Key | null {
    const from = this.#stepsOf(a);
    const to = b === null ? [] : this.#stepsOf(b);
    const fork = b === null ? 0 : common(from, to);
    const low = this.#fraction(from, fork);
    const high = b === null ? 1 : this.#fraction(to, fork);
    const tolerance = ((high - low) * Math.min(share, 1 - share)) / 1000;
    const key = validUtf8(this.#descend(a.slice(0, fork), low + (high - low) * share, tolerance));
    return key > a && (b === null || key < b) ? key : null;
  }

  /** The measure of everything that begins with the first `length` steps. */
  #scale(steps: readonly Step[], length: number): number {
    let scale = 1;
    for (let at = 0; at < length; at++) {
      const { byte } = steps[at]!;
      const alphabet = this.#alphabet(steps[at]!);
      scale = Math.max(SMALLEST, scale * (alphabet[byte + 1]! - alphabet[byte]! || 1e-6));
    }
    return scale;
  }

  /** Where the key lies, from 0 to 1, in everything that begins with its first `from` steps. */
  #fraction(steps: readonly Step[], from: number): number {
    let fraction = 0;
    let scale = 1;
    for (let at = from; at < steps.length && scale > 1e-17; at++) {
      const { byte } = steps[at]!;
      const alphabet = this.#alphabet(steps[at]!);
      fraction += alphabet[byte]! * scale;
      scale *= alphabet[byte + 1]! - alphabet[byte]!;
    }
    return Math.min(1, fraction);
  }

  /** From the prefix down to the fraction, no further than the tolerance needs. */
  #descend(prefix: string, fraction: number, tolerance: number): string {
    let key = prefix;
    let rest = fraction;
    for (let width = 1; width > tolerance && key.length < prefix.length + 64; ) {
      const alphabet = this.#alphabet(this.#nextStep(key));
      const byte = byteAt(alphabet, rest);
      const share = alphabet[byte + 1]! - alphabet[byte]!;
      key += String.fromCharCode(byte);
      rest = Math.min(1 - 1e-12, Math.max(0, (rest - alphabet[byte]!) / share));
      width *= share;
    }
    return key;
  }

  /** What follows the key: the later bytes of a character, or another one. */
  #nextStep(key: string): Step {
    const last = key.length - 1;
    const isOpen = last >= 0 && key.charCodeAt(last) >= 0xc0;
    let lead = last;
    while (lead >= 0 && isLater(key.charCodeAt(lead))) lead--;
    const wanted = lead < 0 ? 0 : lengthOf(key.charCodeAt(lead));
    return this.#walk(key + (isOpen || last - lead + 1 < wanted ? '\x80' : '0')).at(-1)!;
  }

  #alphabet({ folder, depth, place }: Step): Alphabet {
    const own = folder?.names.places[place];
    const special = own !== undefined && own.total >= ENOUGH;
    this.#usual[depth] ??= new Folder();
    const of = special ? folder! : this.#usual[depth];
    let alphabet = of.alphabets[place];
    if (alphabet === undefined) {
      const pool = this.#depths[depth]?.places[place];
      alphabet = alphabetOf(special ? own : null, pool, this.#kindsAt(depth), (place & 3) > 0);
      if (of.alphabets.length === 0) this.#compiled.push(of);
      of.alphabets[place] = alphabet;
    }
    return alphabet;
  }

  #kindsAt(depth: number): ReadonlySet<number> {
    const places = this.#depths[depth]?.places ?? [];
    this.#kinds[depth] ??= new Set(places.flatMap((seen) => (seen ? commonKinds(seen) : [])));
    return this.#kinds[depth];
  }
}

function isLater(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** How many bytes a character has that begins with this one. */
function lengthOf(byte: number): number {
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

function common(a: readonly Step[], b: readonly Step[]): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at]!.byte === b[at]!.byte) at++;
  return at;
}

/** The byte in whose share the fraction lies. */
function byteAt(alphabet: Alphabet, fraction: number): number {
  let low = 0;
  for (let high = 255; low < high; ) {
    const middle = (low + high) >> 1;
    if (alphabet[middle + 1]! > fraction) high = middle;
    else low = middle + 1;
  }
  return low;
}
