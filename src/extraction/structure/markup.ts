import { shownName, textOf } from './name.ts';

const REACH = 8 * 1024;
const LT = 0x3c;
const GT = 0x3e;

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
  const least = Math.max(0, at - REACH);
  let depth = 0; // of elements that were closed before `at`
  for (let i = at - 1; i >= least; i--) {
    if (window[i] === LT) {
      // Not closed before `at`: it stands in this tag, or in a CDATA section, which is text like any other.
      const inside = textOf(window, i + 1, at);
      if (inside.startsWith('!--')) return null;
      if (!inside.startsWith('![CDATA[')) return attributeBefore(inside);
    } else if (window[i] === GT) {
      const end = i;
      while (i >= least && window[i] !== LT) i--;
      if (i < least) return null;
      const tag = textOf(window, i + 1, end);
      const name = /^\/?([^\s/<>]+)/.exec(tag)?.[1] ?? '';
      if (/^[!?]/.test(tag) || tag.endsWith('/') || (html && VOID.has(name.toLowerCase()))) continue;
      if (tag.startsWith('/')) depth++;
      else if (depth > 0) depth--;
      else return name === '' ? null : shownName(name);
    }
  }
  return null;
}

/** `user name="Ann" email="…` → `email`. Tried only where a name may begin, so that it stays linear. */
function attributeBefore(inside: string): string | null {
  const name = /(?<=[\s"'])([^\s"'<>/=]{1,64})\s*=\s*(?:"[^"]*|'[^']*|[^\s"'=]*)$/.exec(inside)?.[1];
  return name === undefined ? null : shownName(name);
}
