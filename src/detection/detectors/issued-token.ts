import { byteSet, isAlnum, runEnd } from '../bytes.ts';
import { type Detector, found } from '../detector.ts';
import { maskSecret } from '../masks.ts';
import { REASON } from '../reasons.ts';

interface IssuedToken extends Pick<Detector, 'id' | 'title' | 'examples'> {
  /** What the issuer puts in front, and how many characters of `alphabet` follow. */
  readonly prefixes: readonly { readonly text: string; readonly length: readonly [number, number] }[];
  readonly alphabet: string;
}

/** A secret that its issuer made recognisable: a prefix, then random characters of a known alphabet and length. */
export function issuedToken(token: IssuedToken): Detector {
  const { prefixes, alphabet: ranges, ...rest } = token;
  const alphabet = byteSet(ranges);
  return {
    ...rest,
    category: 'credential',
    confidence: 0.95,
    anchors: prefixes.map(({ text }) => ({ kind: 'literal', text })),
    verify(bytes, at, match) {
      if (isAlnum(bytes[at - 1]!)) return false;
      for (const { text, length } of prefixes) {
        if (!hasText(bytes, at, text)) continue;
        const body = at + text.length;
        const end = runEnd(bytes, body, length[1] + 1, alphabet);
        if (end - body < length[0] || end - body > length[1] || isAlnum(bytes[end]!)) continue;
        // Documentation writes ghp_xxxxxxxx: one character over and over is no secret.
        if (monotonous(bytes, body, end)) return false;
        return found(match, at, end, REASON.issuer);
      }
      return false;
    },
    mask: (value) =>
      maskSecret(
        value,
        prefixes.map(({ text }) => text),
      ),
  };
}

export function hasText(bytes: Buffer, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

function monotonous(bytes: Buffer, from: number, to: number): boolean {
  const kinds = new Set<number>();
  for (let i = from; i < to; i++) kinds.add(bytes[i]!);
  return kinds.size < 5;
}
