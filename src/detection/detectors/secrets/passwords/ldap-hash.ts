import { textOf } from '../../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../../detector.ts';
import { syntheticSecret } from '../../../families/secrets/synthetic-secret.ts';
import { maskSecret } from '../../../masks.ts';
import { REASON } from '../../../reasons.ts';

const NAME = /^userpassword(::?)\s{0,4}/i;
const HASH = /^\{(?:S?SHA(?:256|384|512)?|S?MD5|CRYPT|PBKDF2[\w-]*)\}[A-Za-z0-9+/.$]{16,150}={0,2}/i;
const BASE64 = /^[A-Za-z0-9+/]{24,240}={0,2}/;

/** `userPassword` in a directory export (LDIF): verbatim, or in base64 after two colons. */
export const ldapHash: Detector = {
  id: 'LDAP_HASH',
  title: 'Password hash (LDAP)',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2', 'gdpr'],
  risk: 7,
  prefilters: [{ pattern: String.raw`(?i)\buserpassword` }],
  confidence: 0.95,
  verify(bytes, at, match) {
    const name = NAME.exec(textOf(bytes, at, at + 20));
    if (name === null) return rejectMatch(match, 'name');
    const start = at + name[0].length;
    const text = textOf(bytes, start, start + 250);
    const coded = name[1] === '::' ? BASE64.exec(text)?.[0] : undefined;
    const hash = coded === undefined ? HASH.exec(text)?.[0] : coded;
    if (hash === undefined) return rejectMatch(match, 'form');
    if (coded !== undefined && !HASH.test(Buffer.from(coded, 'base64').toString('latin1')))
      return rejectMatch(match, 'form');
    return acceptMatch(match, start, start + hash.length, REASON.structure | REASON.pattern);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: `userPassword: ${ssha()}\n`, value: ssha() },
      { text: `uid: jane\nuserPassword:: ${coded()}\n`, value: coded() },
      {
        text: `userpassword: {SHA}${syntheticSecret(27, 'azAZ09')}=`,
        value: `{SHA}${syntheticSecret(27, 'azAZ09')}=`,
      },
    ],
    not: [
      'userPassword: {SSHA}',
      ssha(),
      `userPassword:: ${syntheticSecret(40, 'azAZ09')}`,
      'userPassword: <password>',
    ],
  },
};

function ssha(): string {
  return `{SSHA}${syntheticSecret(32, 'azAZ09')}`;
}

function coded(): string {
  return Buffer.from(ssha()).toString('base64');
}
