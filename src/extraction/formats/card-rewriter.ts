/**
 * iCalendar and vCard: RFC 5545, section 3.1 (folding), RFC 6350, section 3.2, and vCard 2.1. No library: lines are only unfolded and
 * unescaped, with the offsets in the object kept.
 */
import type { EditedText } from './edited-text.ts';
import type { Rewriter } from './rewriter.ts';

/** Maximum length of a property's name with its parameters. */
const MAX_HEAD_LENGTH = 512;
const CUT_OFF = -1;
const NOTHING: Uint8Array = new Uint8Array(0);
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const ESCAPED: readonly number[] = [...Buffer.from('\\,;:"')];

/**
 * Rewrites lines of `NAME;PARAMETER=x:value` (RFC 5545, RFC 6350, vCard 2.1). Folded lines, which continue on the next line after a
 * blank, are joined; in values the escapes `\n`, `\,` and `\;` and quoted-printable are decoded. A joined line is followed by as many
 * empty lines as it was folded into, so that later lines keep their numbers; for the same reason line ends within values become blanks.
 */
export class CardRewriter implements Rewriter {
  readonly #text: EditedText;
  #block: Uint8Array = NOTHING;
  #last = false; // no more data after the block
  #fresh = true; // a line begins
  #quoted = false; // its value is quoted-printable
  #binary = false; // its value is base64: its lines stay as they are
  #owed = 0; // line ends that were left out

  constructor(text: EditedText) {
    this.#text = text;
  }

  rewrite(block: Uint8Array, last: boolean): number {
    this.#block = block;
    this.#last = last;
    this.#text.begin(block);
    let at = 0;
    while (at < block.length) {
      if (!this.#fresh) at = this.#nextSpecial(at);
      const next = this.#fresh ? this.#beginLine(at) : this.#change(at);
      if (next === CUT_OFF) break;
      at = next;
    }
    this.#text.end(at);
    return at;
  }

  /** Parses the property's parameters. */
  #beginLine(at: number): number {
    const block = this.#block;
    const max = Math.min(block.length, at + MAX_HEAD_LENGTH);
    let end = at;
    while (end < max && block[end] !== COLON && block[end] !== LF) end++;
    if (end === block.length && end < at + MAX_HEAD_LENGTH && !this.#last) return CUT_OFF;
    const head = Buffer.from(block.buffer, block.byteOffset + at, end - at).toString('latin1');
    this.#quoted = /;(?:ENCODING=)?QUOTED-PRINTABLE/i.test(head);
    this.#binary = /;(?:(?:ENCODING=)?BASE64|ENCODING=B|VALUE=BINARY)(?![^;])/i.test(head);
    this.#fresh = false;
    return at;
  }

  #nextSpecial(from: number): number {
    const block = this.#block;
    for (let i = from; i < block.length; i++) {
      const byte = block[i]!;
      if (byte === LF || byte === CR || byte === BACKSLASH || (byte === EQUALS && this.#quoted)) return i;
    }
    return block.length;
  }

  /** Applies the change at `at` and returns the position to continue from. */
  #change(at: number): number {
    const byte = this.#block[at];
    if (byte === undefined) return at;
    if (byte === CR || byte === LF) return this.#lineEnd(at);
    return byte === BACKSLASH ? this.#escape(at) : this.#octet(at);
  }

  #lineEnd(at: number): number {
    const behind = this.#behindBreak(at);
    if (behind === CUT_OFF) return CUT_OFF;
    if (behind === at) return at + 1;
    const first = this.#block[behind];
    if (first === undefined && !this.#last) return CUT_OFF;
    if (first === SPACE || first === TAB) return this.#binary ? behind : this.#continueFrom(at, behind + 1);
    for (; this.#owed > 0; this.#owed--) this.#text.replaceByByte(behind, behind, LF);
    this.#fresh = true;
    return behind;
  }

  /** Joins the line with its continuation at `to`. */
  #continueFrom(from: number, to: number): number {
    this.#owed++;
    this.#text.skip(from, to);
    return to;
  }

  #escape(at: number): number {
    const next = this.#block[at + 1];
    if (next === undefined) return this.#last ? at + 1 : CUT_OFF;
    if (this.#binary) return at + 1;
    if (next === 0x6e || next === 0x4e) this.#text.replaceByByte(at, at + 2, SPACE);
    else if (ESCAPED.includes(next)) this.#text.skip(at, at + 1);
    return at + 2;
  }

  /** Decodes `=C3`, or a soft line break `=`. */
  #octet(at: number): number {
    const behind = this.#behindBreak(at + 1);
    if (behind === CUT_OFF) return CUT_OFF;
    if (behind > at + 1) return this.#continueFrom(at, behind);
    if (at + 2 >= this.#block.length) return this.#last ? at + 1 : CUT_OFF;
    const digits = String.fromCharCode(this.#block[at + 1]!, this.#block[at + 2]!);
    if (!/^[\da-f]{2}$/i.test(digits)) return at + 1;
    const byte = Number.parseInt(digits, 16);
    this.#text.replaceByByte(at, at + 3, byte === CR || byte === LF ? SPACE : byte);
    return at + 3;
  }

  /** The position after the line break at `at`; `at` itself if there is none. */
  #behindBreak(at: number): number {
    const byte = this.#block[at];
    const end = byte === CR ? at + 1 : at;
    if (this.#block[end] === LF) return end + 1;
    return end < this.#block.length || this.#last ? at : CUT_OFF;
  }
}
