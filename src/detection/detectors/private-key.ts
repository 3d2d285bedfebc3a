import { byteSet, DASH, runEnd, textOf } from '../bytes.ts';
import { type Detector, found } from '../detector.ts';
import { REASON } from '../reasons.ts';
import { hasText } from './issued-token.ts';

const HEADER = /^BEGIN ((?:[A-Z]+ ){0,2}PRIVATE KEY(?: BLOCK)?)-----/;
const FENCE = '-----';
/** A verifier may look 4096 bytes ahead; a longer key is found by its beginning. */
const LONGEST = 4000;
const LONGEST_PREAMBLE = 5; // lines
const FULL_LINE = 40;
const BODY = byteSet('azAZ09++//==');
const GAP = byteSet('  \t\t\n\n\r\r""\'\'\\\\,,');

export const privateKey: Detector = {
  id: 'PRIVATE_KEY',
  title: 'Private key',
  category: 'credential',
  anchors: [{ kind: 'literal', text: 'BEGIN ' }],
  confidence: 0.99,
  verify(bytes, at, match) {
    if (!hasText(bytes, at - 5, FENCE)) return false;
    const header = HEADER.exec(textOf(bytes, at, at + 64))?.[0];
    if (header === undefined) return false;
    // Documentation shows the two fences and dots between them.
    const body = firstLine(bytes, at + header.length);
    if (body === 0) return false;
    return found(
      match,
      at - 5,
      footer(bytes, bodyEnd(bytes, body, at + LONGEST)),
      REASON.structure | REASON.pattern,
    );
  },
  mask: (value) => `${/^-----BEGIN [A-Z ]+-----/.exec(value)?.[0] ?? ''}••••••••`,
  examples: {
    match: [
      pem('RSA PRIVATE KEY'),
      pem('PRIVATE KEY'),
      { text: `k: |\n  ${pem('OPENSSH PRIVATE KEY')}\n`, value: pem('OPENSSH PRIVATE KEY') },
    ],
    not: [
      pem('PUBLIC KEY'),
      pem('CERTIFICATE'),
      `${FENCE}BEGIN PRIVATE KEY${FENCE}\n...\n${FENCE}END PRIVATE KEY${FENCE}`,
      'BEGIN PRIVATE KEY',
      `${FENCE}BEGIN PRIVATE KEY${FENCE} is the first line of a file that you must keep to yourself, whoever asks`,
    ],
  },
};

/** Where the base64 begins: at once, or behind the few "Name: value" lines of an encrypted key; 0: nowhere. */
function firstLine(bytes: Buffer, from: number): number {
  let line = gapEnd(bytes, from);
  for (let preamble = 0; preamble < LONGEST_PREAMBLE; preamble++) {
    if (runEnd(bytes, line, FULL_LINE, BODY) === line + FULL_LINE) return line;
    const text = /^[A-Za-z-]+: [^\n]*\n/.exec(textOf(bytes, line, line + 100))?.[0];
    if (text === undefined) return 0;
    line = gapEnd(bytes, line + text.length);
  }
  return 0;
}

/** Full lines, and one shorter line before the fence. What follows without a fence is not the key's. */
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

/** Past line ends, indents, quotes and backslashes. */
function gapEnd(bytes: Buffer, from: number): number {
  return runEnd(bytes, from, 16, GAP);
}

function footer(bytes: Buffer, end: number): number {
  const text = /^[^-]{0,16}-----END [A-Z ]+-----/.exec(textOf(bytes, end, end + 80))?.[0];
  return end + (text?.length ?? 0);
}

/** In pieces, so that no other scanner stumbles over this file. */
function pem(kind: string): string {
  const line = 'MIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4wggE6AgEAAkEA';
  return `${FENCE}BEGIN ${kind}${FENCE}\n${line}\n${FENCE}END ${kind}${FENCE}`;
}
