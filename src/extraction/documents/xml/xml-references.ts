const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;

/** From the ampersand to the semicolon; what is longer is no reference. */
export const MAX_REFERENCE_LENGTH = 32;

const OWN: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/**
 * Resolves character references and the five predefined entities; `more`: those of the vocabulary. Others are left unchanged: entities
 * declared in the document are never expanded, because they could grow without bound.
 */
export function resolveReferences(text: string, more: ReadonlyMap<string, string> | null): string {
  let start = text.indexOf('&');
  if (start === -1) return text;
  let resolved = '';
  let from = 0;
  for (; start !== -1; start = text.indexOf('&', start + 1)) {
    const end = semicolonAfter(text, start);
    if (end === -1) continue;
    const character = characterOf(text.slice(start + 1, end), more);
    if (character === null) continue;
    resolved += text.slice(from, start) + character;
    from = end + 1;
    start = end;
  }
  return resolved + text.slice(from);
}

/** Where a reference begins that the text's end may have cut; -1: there is none. */
export function cutReference(text: string, from: number): number {
  const min = Math.max(from, text.length - MAX_REFERENCE_LENGTH);
  for (let i = text.length - 1; i >= min; i--) {
    const code = text.charCodeAt(i);
    if (code === SEMICOLON) return -1;
    if (code === AMPERSAND) return i;
  }
  return -1;
}

function semicolonAfter(text: string, start: number): number {
  const max = Math.min(text.length, start + MAX_REFERENCE_LENGTH);
  for (let i = start + 1; i < max; i++) {
    const code = text.charCodeAt(i);
    if (code === SEMICOLON) return i;
    if (code === AMPERSAND) return -1;
  }
  return -1;
}

function characterOf(name: string, more: ReadonlyMap<string, string> | null): string | null {
  if (!name.startsWith('#')) return OWN.get(name) ?? more?.get(name) ?? null;
  const decimal = /^#[0-9]{1,8}$/.test(name);
  if (!decimal && !/^#[xX][0-9a-fA-F]{1,7}$/.test(name)) return null;
  const code = decimal ? Number(name.slice(1)) : Number.parseInt(name.slice(2), 16);
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : null;
}
