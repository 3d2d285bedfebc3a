import { INLINE } from '../../structure/inline.ts';
import { CUT_OFF } from './entities.ts';

/**
 * Tags that may be inside a word or number without separating it: `<b>4111</b>1111`. Excludes tags with attributes other than styling,
 * which would be lost, and tags over several lines, because lines are counted. A superscript number is a footnote mark and stays separate
 * from the number before it.
 */
const MAX_TAG_LENGTH = 256;
const MAX_NAME_LENGTH = 6;
const LF = 0x0a;
const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const SPACE = 0x20;

export const JOINING: readonly string[] = [...INLINE].filter((name) => name !== 'sub' && name !== 'sup');
const JOINING_KEYS = new Set(JOINING.map(keyOf));
/** Two of these in a row usually contain separate items, not one word. */
const SIBLINGS = new Set(['a', 'code', 'span'].map(keyOf));
const LOOKS = /^(?:\s+(?:class|style|lang|dir|color|size|face)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))*\s*\/?$/i;

export class TagReader {
  /** The end of the last tag read. */
  end = 0;
  /** The tag ends such an element, or begins one. */
  endsSibling = false;
  beginsSibling = false;

  /** Whether the `<` at `at` begins such a tag; CUT_OFF: more bytes are needed to decide. */
  read(bytes: Uint8Array, at: number, to: number): boolean | typeof CUT_OFF {
    const closing = at + 1 < to && bytes[at + 1] === SLASH;
    const start = closing ? at + 2 : at + 1;
    const max = Math.min(to, start + MAX_NAME_LENGTH);
    let key = 0;
    let i = start;
    while (i < max && isLetter(bytes[i]!)) key = key * 32 + (bytes[i++]! & 0x1f);
    if (i >= to) return CUT_OFF;
    if (!JOINING_KEYS.has(key) || isLetter(bytes[i]!)) return false;
    const sibling = SIBLINGS.has(key);
    this.endsSibling = sibling && closing;
    this.beginsSibling = sibling && !closing;
    if (bytes[i] !== GT) return this.#attributes(bytes, i, at, to);
    this.end = i + 1;
    return true;
  }

  #attributes(bytes: Uint8Array, from: number, at: number, to: number): boolean | typeof CUT_OFF {
    const max = Math.min(to, at + MAX_TAG_LENGTH);
    let i = from;
    for (; i < max && bytes[i] !== GT; i++) if (bytes[i] === LF || bytes[i] === LT) return false;
    if (i === to && i < at + MAX_TAG_LENGTH) return CUT_OFF;
    if (i === max) return false;
    this.end = i + 1;
    if (i === from + 1 && (bytes[from] === SPACE || bytes[from] === SLASH)) return true;
    return LOOKS.test(Buffer.from(bytes.buffer, bytes.byteOffset + from, i - from).toString('latin1'));
  }
}

function keyOf(name: string): number {
  return Array.from(name).reduce((key, letter) => key * 32 + (letter.charCodeAt(0) & 0x1f), 0);
}

function isLetter(byte: number): boolean {
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}
