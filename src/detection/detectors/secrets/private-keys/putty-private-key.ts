import { textOf } from '../../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../../detector.ts';
import { syntheticSecret } from '../../../families/secrets/synthetic-secret.ts';
import { REASON } from '../../../reasons.ts';

const HEADER = /^PuTTY-User-Key-File-[1-3]: [\w-]+\r?\n/;
const PRIVATE = /\nPrivate-Lines: (\d{1,3})\r?\n/;
const LINE = /^[A-Za-z0-9+/]{2,64}={0,2}\r?$/;
/** Maximum lengths: up to the private lines, and in total; of a longer key only the beginning is matched. */
const MAX_HEAD_LENGTH = 1400;
const MAX_LENGTH = 4000;

export const puttyPrivateKey: Detector = {
  id: 'PUTTY_PRIVATE_KEY',
  title: 'PuTTY private key',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 10,
  prefilters: [{ pattern: String.raw`\bPuTTY-User-Key` }],
  confidence: 0.99,
  verify(bytes, at, match) {
    if (!HEADER.test(textOf(bytes, at, at + 80))) return rejectMatch(match, 'header');
    const head = PRIVATE.exec(textOf(bytes, at, at + MAX_HEAD_LENGTH));
    if (head === null) return rejectMatch(match, 'private lines');
    const from = at + head.index + head[0].length;
    const [text = ''] = textOf(bytes, from, at + MAX_LENGTH).split('\0', 1);
    const lines = text.split('\n', Number(head[1]));
    if (!lines.every((line) => LINE.test(line))) return rejectMatch(match, 'private lines');
    return acceptMatch(
      match,
      at,
      from + lines.join('\n').trimEnd().length,
      REASON.structure | REASON.pattern,
    );
  },
  mask: () => 'PuTTY-••••••••',
  examples: {
    match: [
      file('ssh-ed25519', 1),
      file('ssh-rsa', 8),
      { text: `x\n${file('ssh-rsa', 2)}\nPrivate-MAC: 0badc0de\n`, value: file('ssh-rsa', 2) },
    ],
    not: [
      'PuTTY-User-Key-File-3: ssh-rsa',
      file('ssh-rsa', 1).replace('Private-Lines', 'Other-Lines'),
      file('ssh-rsa', 1).replace('PuTTY-User-Key-File-3', 'PuTTY-User-Key-File'),
    ],
  },
};

function file(kind: string, lines: number): string {
  const head = `PuTTY-User-Key-File-3: ${kind}\nEncryption: none\nComment: x\nPublic-Lines: 1\nAAAAB3Nz\n`;
  const body = Array.from({ length: lines }, () => syntheticSecret(64, 'azAZ09')).join('\n');
  return `${head}Private-Lines: ${lines}\n${body}`;
}
