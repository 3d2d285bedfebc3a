const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const COLON = 0x3a;
const EQUALS = 0x3d;
const SLASH = 0x2f;

/** The range of an attribute's value in the text. */
export interface Span {
  from: number;
  to: number;
}

/**
 * Finds the first attribute of that local name in a tag; false if there is none. `codes` are those of the text. `prefixed`: only one with
 * a prefix, if both may occur (`id` and `r:id`).
 */
export function findAttribute(
  text: string,
  codes: Uint16Array,
  tag: Span,
  local: string,
  prefixed: boolean,
  value: Span,
): boolean {
  let i = tag.from;
  while (i < tag.to) {
    while (i < tag.to && isGap(codes[i]!)) i++;
    const start = i;
    let nameFrom = i;
    let code = 0;
    for (; i < tag.to; i++) {
      code = codes[i]!;
      if (code === EQUALS || isGap(code)) break;
      if (code === COLON) nameFrom = i + 1;
    }
    const nameTo = i;
    i = valueAfter(text, codes, tag, i, value);
    if (nameTo - nameFrom !== local.length || !text.startsWith(local, nameFrom)) continue;
    if (nameFrom === start ? !prefixed : !text.startsWith('xmlns:', start)) return true;
  }
  return false;
}

/** Returns the value that follows a name, and where to search for the next name. A name alone has an empty value. */
function valueAfter(text: string, codes: Uint16Array, tag: Span, at: number, value: Span): number {
  let i = at;
  while (i < tag.to && codes[i]! <= 0x20) i++;
  value.from = i;
  value.to = i;
  if (i >= tag.to || codes[i] !== EQUALS) return i;
  do i++;
  while (i < tag.to && codes[i]! <= 0x20);
  const quote = codes[i]!;
  if (quote === QUOTE || quote === APOSTROPHE) {
    const end = text.indexOf(quote === QUOTE ? '"' : "'", i + 1);
    value.from = Math.min(i + 1, tag.to);
    value.to = end === -1 || end > tag.to ? tag.to : end;
    return value.to + 1;
  }
  value.from = i;
  while (i < tag.to && codes[i]! > 0x20) i++;
  value.to = i;
  return i;
}

function isGap(code: number): boolean {
  return code <= 0x20 || code === SLASH;
}
