import { textOf } from '../../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../../detector.ts';
import { syntheticSecret } from '../../../families/secrets/synthetic-secret.ts';
import { REASON } from '../../../reasons.ts';

const VAULT =
  /^\$ANSIBLE_VAULT;1\.[0-2];AES(?:256)?(?:;[\w.-]{1,64})?\r?\n((?:[ \t]{0,32}[0-9a-f]{2,80}(?:\r?\n|\0|$))+)/;
const MAX_LENGTH = 2000;

/** Encrypted: as secure as its password is. */
export const ansibleVault: Detector = {
  id: 'ANSIBLE_VAULT',
  title: 'Ansible vault',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 4,
  prefilters: [{ pattern: String.raw`\bANSIBLE_VAUL` }],
  confidence: 0.95,
  verify(bytes, at, match) {
    const start = at - 1;
    const vault = VAULT.exec(textOf(bytes, start, start + MAX_LENGTH))?.[0];
    if (vault === undefined) return rejectMatch(match, 'form');
    const length = vault.replace(/[\s\0]+$/, '').length;
    return acceptMatch(match, start, start + length, REASON.structure | REASON.pattern);
  },
  mask: () => '$ANSIBLE_••••••••',
  examples: {
    match: [
      vault('1.1;AES256'),
      vault('1.2;AES256;prod'),
      { text: `db: !vault |\n  ${vault('1.1;AES256')}\nother: x\n`, value: vault('1.1;AES256') },
    ],
    not: [
      '$ANSIBLE_VAULT;1.1;AES256',
      '$ANSIBLE_VAULT_PASSWORD_FILE',
      '$ANSIBLE_VAULT;1.1;AES256\nnot hex\n',
    ],
  },
};

function vault(head: string): string {
  const line = syntheticSecret(80, '39');
  return `$ANSIBLE_VAULT;${head}\n          ${line}\n          ${line}`;
}
