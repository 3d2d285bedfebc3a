import { byteSet, runEnd, runStart, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const QUERY = byteSet('azAZ09%%++//==&&..__--::??~~');
const SIGNATURE = byteSet('azAZ09%%++//==__--');
const REACH = 400;

/** A shared access signature: grants the access in its other parameters to anyone who has the URL, until it expires. */
export const azureSas: Detector = {
  id: 'AZURE_SAS',
  title: 'Azure shared access signature',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 9,
  prefilters: [{ assigned: ['sig'] }],
  confidence: 0.95,
  verify(bytes, at, match) {
    const start = at + 1;
    if (textOf(bytes, at - 3, start) !== 'sig=') return rejectMatch(match, 'form');
    const end = runEnd(bytes, start, 120, SIGNATURE);
    const signature = decoded(textOf(bytes, start, end));
    if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(signature)) return rejectMatch(match, 'signature');
    if (new Set(signature).size < 12) return rejectMatch(match, 'placeholder');
    const query = textOf(bytes, runStart(bytes, at, REACH, QUERY), runEnd(bytes, end, REACH, QUERY));
    if (!/[?&]?sv=[\d.-]+/.test(query) || !/[?&](?:se|sp|sr|ss)=/.test(query))
      return rejectMatch(match, 'other parameters');
    return acceptMatch(match, start, end, REASON.structure | REASON.pattern);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: `https://acme.blob.core.windows.net/x?sv=2022-11-02&se=2025&sr=b&sig=${sig()}`, value: sig() },
      { text: `"?sig=${sig()}&sv=2022-11-02&ss=b&sp=rwd"`, value: sig() },
      { text: `SharedAccessSignature=sv=2021-10-04&ss=btqf&sig=${sig()};`, value: sig() },
    ],
    not: [
      `https://acme.example/x?sig=${sig()}`,
      'https://acme.blob.core.windows.net/x?sv=2022-11-02&se=2025&sr=b&sig=REDACTED',
      `sv=2022-11-02&se=2025&sr=b&sig=${'x'.repeat(43)}%3D`,
      `sv=2022-11-02&se=2025&sr=b&sig=${sig().slice(4)}`,
    ],
  },
};

function decoded(text: string): string {
  return text.replace(/%2B/gi, '+').replace(/%2F/gi, '/').replace(/%3D/gi, '=');
}

function sig(): string {
  return `${syntheticSecret(20, 'azAZ09')}%2B${syntheticSecret(22, 'azAZ09')}%3D`;
}
