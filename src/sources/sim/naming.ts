/** Naming rules of groups: the i-th of `count` names in byte order. */
import { draw, drawBelow } from './random.ts';
import { Scatter } from './scatter.ts';

type Naming = (index: number) => string;

export const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
export const DIGITS_AND_LETTERS = `0123456789${LETTERS}`;

export function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** 00041.gz: counted from zero, zero-padded to `width` or more if needed. */
export function counter(count: number, width: number, tail = ''): Naming {
  const wide = Math.max(width, String(Math.max(0, count - 1)).length);
  return (i) => digits(i, wide) + tail;
}

/** 1, 10, 100, 1000, 1001 …: 1 to `count` without padding, in lexicographic order. */
export function unpadded(count: number, tail = ''): Naming {
  return (i) => {
    let number = 1;
    for (let left = i; left > 0; ) {
      const below = startingWith(number, count);
      if (below <= left) {
        number++;
        left -= below;
      } else {
        number *= 10;
        left--;
      }
    }
    return number + tail;
  };
}

/** How many of 1 to `max` begin with the digits of `number`. */
function startingWith(number: number, max: number): number {
  let sum = 0;
  for (let from = number, to = number + 1; from <= max; from *= 10, to *= 10)
    sum += Math.min(max + 1, to) - from;
  return sum;
}

/** Random names like hashes, in the alphabet with `width` letters: enough for 2^48 different names. */
export function scattered(seed: number, count: number, alphabet: string, width: number, tail = ''): Naming {
  const scatter = new Scatter(seed, count);
  return (i) => {
    let name = '';
    for (let rest = scatter.at(i) / 2 ** 48, n = 0; n < width; n++) {
      rest *= alphabet.length;
      name += alphabet[Math.floor(rest)];
      rest -= Math.floor(rest);
    }
    return name + tail;
  };
}

export function inAlphabet(value: number, alphabet: string, width: number): string {
  let name = '';
  for (let rest = value, n = 0; n < width; n++) {
    name = alphabet[rest % alphabet.length]! + name;
    rest = Math.floor(rest / alphabet.length);
  }
  return name;
}

export function uuids(seed: number, count: number): Naming {
  const scatter = new Scatter(seed, count);
  return (i) => {
    const head = scatter.at(i).toString(16).padStart(12, '0');
    const rest = [3, 5, 7].map((what) => draw(seed, i, what).toString(16).padStart(8, '0')).join('');
    return `${head.slice(0, 8)}-${head.slice(8)}-4${rest.slice(0, 3)}-9${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
  };
}

/** A random word of `min` to `max` letters. */
export function word(seed: number, index: number, min: number, max: number, alphabet = LETTERS): string {
  const length = min + drawBelow(max - min + 1, seed, index, 90);
  return Array.from({ length }, (_, k) => alphabet[drawBelow(alphabet.length, seed, index, 91 + k)]).join('');
}

/** This many different words. */
export function words(seed: number, count: number, min: number, max: number, alphabet = LETTERS): string[] {
  const all = new Set<string>();
  for (let i = 0; all.size < count; i++) all.add(word(seed, i, min, max, alphabet));
  return [...all];
}
