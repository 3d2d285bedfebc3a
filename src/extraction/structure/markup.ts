import { cellHead, isNamed } from './html-table.ts';
import { INLINE } from './inline.ts';
import { label } from './lines.ts';
import { shownName, textOf } from './name.ts';

const REACH = 8 * 1024;
const LT = 0x3c;
const GT = 0x3e;
const DASH = 0x2d;
const MAX_NAME_LENGTH = 128;

/** Elements that are never closed. */
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** The attribute whose value holds `at`, or the element whose text does. */
export function xmlName(window: Uint8Array, at: number): string | null {
  return nameAt(window, at, false);
}

export function htmlName(window: Uint8Array, at: number): string | null {
  return nameAt(window, at, true);
}

function nameAt(window: Uint8Array, at: number, html: boolean): string | null {
  const min = Math.max(0, at - REACH);
  let depth = 0; // of elements that were closed before `at`
  for (let i = at - 1; i >= min; i--) {
    if (window[i] === LT) {
      // Not closed before `at`: it is in this tag, or in a CDATA section, which is ordinary text.
      if (beginsComment(window, i)) return label(window, at);
      if (beginsTag(window, i, at)) return attributeBefore(textOf(window, i + 1, at)) ?? label(window, at);
    } else if (window[i] === GT) {
      const end = i;
      while (i >= min && window[i] !== LT) i--;
      if (i < min) return null;
      const tag = textOf(window, i + 1, end);
      const name = /^\/?([^\s/<>]+)/.exec(tag)?.[1] ?? '';
      if (/^[!?]/.test(tag) || tag.endsWith('/') || (html && namesNothing(name))) continue;
      if (tag.startsWith('/')) depth++;
      else if (depth > 0) depth--;
      else if (name === '') return null;
      else return (html ? headOf(window, i, min) : null) ?? shownName(name);
    }
  }
  return null;
}

/** A cell is named by its header, also if its content is in a paragraph. */
function headOf(window: Uint8Array, at: number, min: number): string | null {
  if (isNamed(window, at + 1, 'td')) return cellHead(window, at, min);
  if (!isNamed(window, at + 1, 'p') && !isNamed(window, at + 1, 'div')) return null;
  let end = at - 1;
  while (end >= min && window[end]! <= 0x20) end--;
  const outer = end >= min && window[end] === GT ? window.lastIndexOf(LT, end) : -1;
  return outer >= min && isNamed(window, outer + 1, 'td') ? cellHead(window, outer, min) : null;
}

/** A name and a blank follow. Any other `<` is literal, which occurs where character references were decoded. */
function beginsTag(window: Uint8Array, lt: number, at: number): boolean {
  const first = window[lt + 1];
  const start = first === 0x21 || first === 0x3f ? lt + 2 : lt + 1; // ! ?
  if (!isNameStart(window[start] ?? 0)) return false;
  const max = Math.min(at, lt + MAX_NAME_LENGTH);
  for (let i = start; i < max; i++) {
    const byte = window[i]!;
    if (byte <= 0x20) return true;
    if (byte === LT || byte === GT) return false;
  }
  return false;
}

function isNameStart(byte: number): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || byte === 0x5f || byte === 0x3a || byte >= 0x80; // _ :
}

function beginsComment(window: Uint8Array, lt: number): boolean {
  return window[lt + 1] === 0x21 && window[lt + 2] === DASH && window[lt + 3] === DASH;
}

/** Text in bold is text of the paragraph; besides, one of its two tags may be gone from the middle of a word. */
function namesNothing(name: string): boolean {
  const element = name.toLowerCase();
  return VOID.has(element) || INLINE.has(element);
}

/** `user name="Ann" email="…` → `email`. Tried only where a name may begin, so that it stays linear. */
function attributeBefore(inside: string): string | null {
  const name = /(?<=[\s"'])([^\s"'<>/=]{1,64})\s*=\s*(?:"[^"]*|'[^']*|[^\s"'=]*)$/.exec(inside)?.[1];
  return name === undefined ? null : shownName(name);
}
