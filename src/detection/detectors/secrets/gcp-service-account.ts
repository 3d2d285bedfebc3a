import { textOf } from '../../bytes.ts';
import { isFiller } from '../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const ENTRY = /^private_key_id\\?"\s{0,4}:\s{0,4}\\?"([0-9a-f]{40})\\?"/;
const AROUND = 512;
const AHEAD = 3500;

/** The file that a service account logs in with. The key inside it is found as a private key; this names whose it is. */
export const gcpServiceAccount: Detector = {
  id: 'GCP_SERVICE_ACCOUNT',
  title: 'Google Cloud service account key',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 10,
  prefilters: [{ pattern: String.raw`\bprivate_key_` }],
  confidence: 0.95,
  verify(bytes, at, match) {
    const entry = ENTRY.exec(textOf(bytes, at, at + 80));
    if (entry === null) return rejectMatch(match, 'form');
    if (isFiller(entry[1]!)) return rejectMatch(match, 'placeholder');
    const text = textOf(bytes, at - AROUND, at + AHEAD);
    if (!text.includes('.gserviceaccount.com') && !text.includes('service_account'))
      return rejectMatch(match, 'service account');
    const start = at + entry[0].indexOf(entry[1]!);
    return acceptMatch(match, start, start + entry[1]!.length, REASON.structure | REASON.pattern);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: file(), value: syntheticSecret(40, '09af') },
      { text: file().replaceAll(',', ',\n  '), value: syntheticSecret(40, '09af') },
      { text: JSON.stringify(file()), value: syntheticSecret(40, '09af') },
    ],
    not: [
      `{"private_key_id":"${syntheticSecret(40, '09af')}"}`,
      file().replace('private_key_id', 'public_key_id'),
      '{"type":"service_account","private_key_id":"xxxxxxxx"}',
    ],
  },
};

function file(): string {
  const email = 'robot@shop-prod.iam.gserviceaccount.com';
  return `{"type":"service_account","private_key_id":"${syntheticSecret(40, '09af')}","client_email":"${email}"}`;
}
