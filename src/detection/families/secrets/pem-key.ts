import { byteSet, DASH, runEnd, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, type Example, rejectMatch } from '../../detector.ts';
import { REASON } from '../../reasons.ts';
import { hasText } from './issued-token.ts';

interface PemKey extends Pick<Detector, 'id' | 'title'>, Partial<Pick<Detector, 'risk'>> {
  /** The text between BEGIN and the dashes, as a regular expression. */
  readonly kind: RegExp;
  /** Example types that match, and types that don't. */
  readonly is: readonly string[];
  readonly isNot: readonly string[];
}

const FENCE = '-----';
/** Within the verifier's window; only the beginning of a longer key is matched. */
const MAX_LENGTH = 4000;
const MAX_PREAMBLE_LENGTH = 5; // lines
const FULL_LINE = 40;
const BODY = byteSet('azAZ09++//==');
const GAP = byteSet('  \t\t\n\n\r\r""\'\'\\\\,,');

/** A private key between its BEGIN and END lines (RFC 7468). */
export function pemKey(key: PemKey): Detector {
  const { kind, is, isNot, ...rest } = key;
  const header = new RegExp(`^BEGIN (?:${kind.source})${FENCE}`);
  return {
    risk: 10,
    ...rest,
    category: 'credential',
    strength: 'format',
    regulations: ['soc2'],
    prefilters: [{ pattern: String.raw`\bBEGIN [A-Z]` }],
    confidence: 0.99,
    verify(bytes, at, match) {
      if (!hasText(bytes, at - FENCE.length, FENCE)) return rejectMatch(match, 'fence');
      const head = header.exec(textOf(bytes, at, at + 64))?.[0];
      if (head === undefined) return rejectMatch(match, 'kind of key');
      // Documentation shows BEGIN and END lines with dots between them.
      const body = firstLine(bytes, at + head.length);
      if (body === 0) return rejectMatch(match, 'body');
      const end = footer(bytes, bodyEnd(bytes, body, at + MAX_LENGTH));
      return acceptMatch(match, at - FENCE.length, end, REASON.structure | REASON.pattern);
    },
    mask: (value) => `${/^-----BEGIN [A-Z ]+-----/.exec(value)?.[0] ?? ''}••••••••`,
    examples: {
      match: is.flatMap((name) => [pem(name), ...asText(pem(name))]),
      not: [
        ...[...isNot, 'PUBLIC KEY', 'CERTIFICATE'].map(pem),
        `${FENCE}BEGIN ${is[0]}${FENCE}\n...\n${FENCE}END ${is[0]}${FENCE}`,
        `BEGIN ${is[0]}`,
        `${FENCE}BEGIN ${is[0]}${FENCE} is the first line of a file that you must keep to yourself, whoever asks`,
      ],
    },
  };
}

/** Where the base64 begins: directly, or after the "Name: value" headers of an encrypted key (RFC 1421); 0 if there is none. */
function firstLine(bytes: Buffer, from: number): number {
  let line = gapEnd(bytes, from);
  for (let preamble = 0; preamble < MAX_PREAMBLE_LENGTH; preamble++) {
    if (runEnd(bytes, line, FULL_LINE, BODY) === line + FULL_LINE) return line;
    const text = /^[A-Za-z-]+: [^\n]*\n/.exec(textOf(bytes, line, line + 100))?.[0];
    if (text === undefined) return 0;
    line = gapEnd(bytes, line + text.length);
  }
  return 0;
}

/** Full lines, then one shorter line before END. Without an END line, other text that follows is excluded. */
function bodyEnd(bytes: Buffer, from: number, stop: number): number {
  let end = from;
  for (let line = from; line < stop; ) {
    const lineEnd = runEnd(bytes, line, stop - line, BODY);
    const next = gapEnd(bytes, lineEnd);
    if (lineEnd - line < FULL_LINE && !hasText(bytes, next, FENCE)) break;
    end = lineEnd;
    if (next === lineEnd || bytes[next] === DASH) break;
    line = next;
  }
  return end;
}

/** What parts the lines of a key in source code: escaped line ends, quotes, operators, the beginning of a comment. */
const SOURCE_GAP =
  /^(?:\\[nrt]|\\(?=\r?\n))*["'`]?(?:[ \t]*[+.,&]|[ \t]*\\)?[ \t]*\r?\n[ \t]*(?:(?:\/\/|\*|#|--|;|>|\|)[ \t]{0,4})?["'`]?/;
const MAX_GAP_LENGTH = 48;

/** Skips line ends, indents, quotes and backslashes. */
function gapEnd(bytes: Buffer, from: number): number {
  const plain = runEnd(bytes, from, 16, GAP);
  const next = bytes[plain]!;
  if (plain > from && BODY[next] === 1 && next !== 0x6e && next !== 0x2b && next !== 0x2f) return plain;
  const source = SOURCE_GAP.exec(textOf(bytes, from, from + MAX_GAP_LENGTH));
  return source === null ? plain : Math.max(plain, from + source[0].length);
}

function footer(bytes: Buffer, end: number): number {
  const text = /^[^-]{0,16}-----END [A-Z ]+-----/.exec(textOf(bytes, end, end + 80))?.[0];
  return end + (text?.length ?? 0);
}

/** As escaped in YAML and JSON. */
function asText(value: string): Example[] {
  const escaped = JSON.stringify(value);
  return [
    { text: `k: |\n  ${value}\n`, value },
    { text: `{"k":${escaped}}`, value: escaped.slice(1, -1) },
  ];
}

/** Assembled from parts, so that other secret scanners don't report this file. */
function pem(kind: string): string {
  const line = 'MIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4wggE6AgEAAkEA';
  return `${FENCE}BEGIN ${kind}${FENCE}\n${line}\n${FENCE}END ${kind}${FENCE}`;
}
