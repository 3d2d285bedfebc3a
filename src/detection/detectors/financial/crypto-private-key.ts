import { beginsAt, standsAlone, textOf } from '../../bytes.ts';
import { base58Payload } from '../../checks/base58check.ts';
import { strkeyChecks } from '../../checks/crypto-addresses.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { BASE58 } from '../../families/ids/coin-address.ts';
import { maskSecret } from '../../masks.ts';
import { mayStandAlone } from '../../pattern/may-begin.ts';
import { REASON } from '../../reasons.ts';

/** BIP-32 (main and test network, and the letters of SLIP-132), the wallets' import format, BIP-38, Stellar's seeds. */
const KEYS: readonly { pattern: string; check: (text: string) => boolean }[] = [
  { pattern: `[xyzt]prv${BASE58}{107}`, check: (text) => base58Payload(text, 82) !== null },
  { pattern: `5[HJK]${BASE58}{49}`, check: (text) => base58Payload(text, 37)?.[0] === 0x80 },
  { pattern: `[KL]${BASE58}{51}`, check: (text) => base58Payload(text, 38)?.[0] === 0x80 },
  { pattern: `6P${BASE58}{56}`, check: (text) => base58Payload(text, 43)?.[0] === 0x01 },
  { pattern: 'S[A-D][A-Z2-7]{54}', check: strkeyChecks },
];
const SHAPES = KEYS.map(({ pattern, check }) => ({ shape: new RegExp(`^${pattern}`), check }));
const HEX = /^(?:0x)?([0-9a-fA-F]{64})(?![0-9a-zA-Z])/;
const HEX_FORM = '(?:0x)?[0-9a-fA-F]{64}';
const begins = mayStandAlone([...KEYS.map(({ pattern }) => pattern), HEX_FORM]);
const MAX_LENGTH = 120;

export const cryptoPrivateKey: Detector = {
  id: 'CRYPTO_PRIVATE_KEY',
  title: 'Private key of a crypto wallet',
  category: 'credential',
  strength: 'checksum',
  regulations: ['soc2', 'glba'],
  risk: 10,
  prefilters: [
    ...KEYS.map(({ pattern }) => ({ pattern: `\\b${pattern}\\b` })),
    { pattern: String.raw`\b[0-9a-fA-F]{64}\b`, labelled: true },
    { pattern: String.raw`\b0x[0-9a-fA-F]{64}\b`, labelled: true },
  ],
  confidence: 0.97,
  context: {
    words: [
      'private key',
      'privatekey',
      'priv key',
      'privkey',
      'wallet key',
      'wif',
      'deployer key',
      'signer key',
      'owner key',
      'account key',
    ],
  },
  verify(bytes, at, match) {
    const may = begins.at(bytes, at);
    if (may === 0) return rejectMatch(match, 'form');
    if (!beginsAt(bytes, at)) return rejectMatch(match, 'stands alone');
    const text = textOf(bytes, at, at + MAX_LENGTH);
    for (let n = 0; n < SHAPES.length; n++) {
      if ((may & (1 << n)) === 0) continue;
      const { shape, check } = SHAPES[n]!;
      const key = shape.exec(text)?.[0];
      if (key === undefined || !standsAlone(bytes, at, at + key.length)) continue;
      return check(key)
        ? acceptMatch(match, at, at + key.length, REASON.pattern | REASON.checksum)
        : rejectMatch(match, 'checksum');
    }
    return hexKey(bytes, at, text, match);
  },
  mask: (value) => maskSecret(value, ['xprv', 'yprv', 'zprv', 'tprv']),
  examples: {
    match: [
      ['5HueCGU8rMjxEXxiPuD5BDku4', 'MkFqeZyd4dZ1jvhTVqvbTLvyTJ'].join(''),
      ['KwdMAjGmerYanjeui5SHS7Jkm', 'pZvVipYvB2LJGU1ZxJwYvP98617'].join(''),
      [
        'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqji',
        'ChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
      ].join(''),
      {
        text: ['PRIVATE_KEY=0x4c0883a69102937d6231471b5dbb6204', 'fe5129617082792ae468d01a3f362318'].join(''),
        value: ['0x4c0883a69102937d6231471b5dbb6204', 'fe5129617082792ae468d01a3f362318'].join(''),
      },
    ],
    not: [
      ['5HueCGU8rMjxEXxiPuD5BDku4', 'MkFqeZyd4dZ1jvhTVqvbTLvyTK'].join(''),
      ['KwdMAjGmerYanjeui5SHS7Jkm', 'pZvVipYvB2LJGU1ZxJwYvP9861'].join(''),
      '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318',
      `private key ${'0'.repeat(64)}`,
      'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    ],
  },
};

/** Ethereum and compatible chains: 32 bytes in hex look like any hash, so the name must identify them. */
function hexKey(bytes: Buffer, at: number, text: string, match: Match): boolean {
  const hex = HEX.exec(text);
  if (hex === null) return rejectMatch(match, 'form');
  const end = at + hex[0].length;
  if (!standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
  if (new Set(hex[1]!.toLowerCase()).size < 10) return rejectMatch(match, 'too even');
  if (!match.hasLabel(at)) return rejectMatch(match, 'label');
  match.confidence = 0.85;
  return acceptMatch(match, at, end, REASON.pattern);
}
