import { BASE64URL, byteSet, DASH, textOf } from '../bytes.ts';
import { type Detector, found } from '../detector.ts';
import { REASON } from '../reasons.ts';
import { hasText } from './issued-token.ts';

const HEADER = /^BEGIN ((?:[A-Z]+ ){0,2}PRIVATE KEY(?: BLOCK)?)-----/;
const FENCE = '-----';
/** A verifier may look 4096 bytes ahead; a longer key is found by its beginning. */
const LONGEST = 4000;
const FEWEST = 40;
const BODY = byteSet('azAZ09++//==');

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
    const body = at + header.length;
    const end = fence(bytes, body, at + LONGEST);
    // Documentation shows the two fences and dots between them.
    if (!hasBody(bytes, body, end)) return false;
    return found(match, at - 5, footer(bytes, end), REASON.structure | REASON.pattern);
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
    ],
  },
};

/** The next "-----", or the end of the walk: the last byte of base64, so that a cut key keeps its whole body. */
function fence(bytes: Buffer, from: number, stop: number): number {
  for (let i = from; i < stop; i++) {
    if (bytes[i] === DASH && hasText(bytes, i, FENCE)) return i;
    if (bytes[i] === 0) return i;
  }
  return stop;
}

function footer(bytes: Buffer, fenceAt: number): number {
  const text = /^-----END [A-Z ]+-----/.exec(textOf(bytes, fenceAt, fenceAt + 64))?.[0];
  return fenceAt + (text?.length ?? 0);
}

function hasBody(bytes: Buffer, from: number, to: number): boolean {
  let run = 0;
  for (let i = from; i < to && run < FEWEST; i++)
    run = BODY[bytes[i]!] === 1 || BASE64URL[bytes[i]!] === 1 ? run + 1 : 0;
  return run >= FEWEST;
}

/** In pieces, so that no other scanner stumbles over this file. */
function pem(kind: string): string {
  const line = 'MIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4wggE6AgEAAkEA';
  return `${FENCE}BEGIN ${kind}${FENCE}\n${line}\n${FENCE}END ${kind}${FENCE}`;
}
