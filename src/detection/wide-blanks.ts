import { isAscii } from 'node:buffer';
import type { BlankShifts } from './blank-shifts.ts';
import { isAlnum, isDigit, SPACE } from './bytes.ts';

/**
 * Non-breaking blanks between the groups of a number: U+00A0, U+2007, U+2009, U+202F. They take two or three bytes, and detectors only
 * know the plain one. Between groups with digits they are replaced by plain blanks, and the bytes saved are appended as blanks after the
 * last group: everything before and after keeps its position, and `shifts` maps what is between.
 */
const ENDS = new Set(['\u2007', '\u2009', '\u202f'].map((blank) => Buffer.from(blank)[2]!));
/** In single-byte encodings; in UTF-8 this byte never follows ASCII. */
const NO_BREAK_BYTE = 0xa0;
const MAX_BLANK_LENGTH = 3;
/** Longer than any grouped number: the rest of a longer run is not changed. */
const MAX_RUN = 64;
const MAX_GROUP_LENGTH = 8;
const OPEN = 0x28;
const CLOSE = 0x29;
const WITHIN = new Set(Buffer.from('-./()'));

export interface NarrowBlanksOptions {
  /** The text ends there. */
  readonly last: boolean;
  /** Single-byte encoding. */
  readonly latin: boolean;
  /** Finds the next position where a wide blank may begin in UTF-8: `to` or more if there is none. */
  readonly prefilter: { blanks(window: Buffer, from: number, to: number): number };
  readonly shifts: BlankShifts;
  /** The text offset of the window's first byte. */
  readonly origin: number;
}

/**
 * Narrows `[from, to)` of the window. Returns the position up to which it is final: the short rest must be passed again together with the
 * bytes that follow.
 */
export function narrowBlanks(
  window: Buffer,
  from: number,
  to: number,
  transcoder: NarrowBlanksOptions,
): number {
  const end = transcoder.last ? to : to - MAX_RUN - MAX_BLANK_LENGTH;
  if (end <= from) return from;
  if (isAscii(window.subarray(from, end))) return end;
  for (let at = next(window, from, end, transcoder); at < end; at = next(window, at + 1, end, transcoder)) {
    if (isBetweenGroups(window, at)) narrowRun(window, at, to, transcoder);
  }
  return end;
}

function next(window: Buffer, from: number, end: number, { latin, prefilter }: NarrowBlanksOptions): number {
  if (!latin) return prefilter.blanks(window, from, end);
  const at = window.subarray(0, end).indexOf(NO_BREAK_BYTE, from);
  return at === -1 ? end : at;
}

/** 0 if there is none. */
function blankLength(window: Buffer, at: number): number {
  const byte = window[at];
  if (byte === NO_BREAK_BYTE) return 1;
  if (byte === 0xc2) return window[at + 1] === NO_BREAK_BYTE ? 2 : 0;
  return byte === 0xe2 && window[at + 1] === 0x80 && ENDS.has(window[at + 2]!) ? MAX_BLANK_LENGTH : 0;
}

/** A group with a digit before it, and one after it. Words are not joined, because a value that begins at one must keep its position. */
function isBetweenGroups(window: Buffer, at: number): boolean {
  const length = blankLength(window, at);
  if (length === 0 || !beginsGroup(window, at + length)) return false;
  const last = window[at - 1] === CLOSE ? at - 2 : at - 1;
  for (let i = last; i > last - MAX_GROUP_LENGTH && isAlnum(window[i]!); i--)
    if (isDigit(window[i]!)) return true;
  return false;
}

function beginsGroup(window: Buffer, at: number): boolean {
  return isAlnum(window[at]!) || (window[at] === OPEN && isDigit(window[at + 1]!));
}

function narrowRun(window: Buffer, from: number, to: number, { shifts, origin }: NarrowBlanksOptions): void {
  const end = runEnd(window, from, Math.min(to, from + MAX_RUN));
  let written = from;
  for (let read = from; read < end; ) {
    const blank = blankLength(window, read);
    read += Math.max(1, blank);
    if (blank > 1) shifts.note(origin + written, read - written - 1, origin + end);
    window[written++] = blank > 0 ? SPACE : window[read - 1]!;
  }
  window.fill(SPACE, written, end);
}

/** The end of the last complete group. */
function runEnd(window: Buffer, from: number, max: number): number {
  let end = from;
  for (let at = from; ; ) {
    const blank = blankLength(window, at);
    const more = blank > 0 ? beginsGroup(window, at + blank) : goesOn(window, at);
    if (!more || blank > 0) end = at;
    if (!more || at + blank >= max) return end;
    at += Math.max(1, blank);
  }
}

function goesOn(window: Buffer, at: number): boolean {
  const byte = window[at]!;
  return isAlnum(byte) || (WITHIN.has(byte) && beginsGroup(window, at + 1));
}
