import { byteSet, runEnd, textOf } from '../../bytes.ts';
import { basicCredentials } from '../../checks/basic-credentials.ts';
import { entropy, looksGenerated } from '../../checks/entropy.ts';
import { isFiller, isPlaceholder } from '../../checks/placeholder.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { assignsKey, nameEndBefore, parseAssignment } from '../../families/secrets/assignment.ts';
import { isFrameworkSecret } from '../../families/secrets/framework-secret.ts';
import { isIdentifierOrPath, isLikeName } from '../../families/secrets/identifier-value.ts';
import { isAnyKeyName, isSecretKeyName } from '../../families/secrets/key-name.ts';
import { pairedName } from '../../families/secrets/paired-name.ts';
import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const MIN_LENGTH = 16;
/** Of a key whose name may mean something else. */
const MIN_PLAIN_LENGTH = 20;
const BODY = /^[A-Za-z0-9_\-+/=.~]{16,200}$/;
const SEPARATORS = byteSet('::==>>');
/** `--api-key value`, `ENV API_TOKEN value`. */
const OPTION =
  /^(?:(?:token|secret|key) ["']?|ENV ([A-Z][A-Z0-9_]{1,63}) ["']?)([A-Za-z0-9_+/=.~-]{16,200})(?![\w+/=.~-])/i;
const NAME_BEFORE = /(?:^|\s)--?([a-z]+(?:-[a-z]+)*-)?$/i;
/** `define('AUTH_KEY', '…')`, `setProperty("api.key", "…")`. */
const CALL =
  /^(?:define|put|set\w{0,20}|add\w{0,20})\s?\(\s{0,4}["']([\w.-]{2,64})["'],\s{0,16}(?:"([^"\n\0]{16,200})"|'([^'\n\0]{16,200})')\s{0,2}\)/;
/** "Next page token:" */
const PAGE_BEFORE = /\bpage $/i;

/** Of RFC 6749 and of the emulator of Azure's storage. */
const PUBLISHED =
  /^(?:2YotnFZFEjr1zCsicMWpAA|tGzv3JOkF0XG5Qx2TlKWIA|Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ)/;

export const apiKey: Detector = {
  id: 'API_KEY',
  title: 'API key or token',
  category: 'credential',
  strength: 'heuristic',
  regulations: ['soc2'],
  risk: 8,
  prefilters: [
    { assigned: ['key', 'ken', 'ret', 'base', '_auth', 'value', 'default'] },
    { pattern: String.raw`(?i)\b(?:token|secret|key) ["']?[A-Za-z0-9_+/.~-]{8}` },
    { pattern: String.raw`(?i)\b(?:token|secret|key) {4}` },
    { pattern: String.raw`\bENV [A-Z]` },
    { pattern: String.raw`\bdefine ?\(` },
    { pattern: String.raw`\bset(?:Property|Header|Env|_config)\(` },
  ],
  confidence: 0.75,
  verify(bytes, at, match) {
    if (SEPARATORS[bytes[at]!] === 1) return assignedKey(bytes, at, match);
    const aligned = runEnd(bytes, runEnd(bytes, at, 8, LETTER), 40, BLANK);
    if (SEPARATORS[bytes[aligned]!] === 1) return assignedKey(bytes, aligned, match);
    return calledKey(bytes, at, match) || keyOfOption(bytes, at, match);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: `api_key = "${sample()}"`, value: sample() },
      { text: `"clientSecret":"${sample()}"`, value: sample() },
      { text: `export AUTH_TOKEN=${sample()}\n`, value: sample() },
      { text: `X-Api-Key: ${sample()}`, value: sample() },
      { text: `api_key = "${hexKey()}"`, value: hexKey() },
      { text: `GET /v1/items?token=${sample()}&page=2`, value: sample() },
      { text: `deploy --api-key ${sample()} --all`, value: sample() },
      { text: `<add key="ApiKey" value="${sample()}"/>`, value: sample() },
      { text: `ENV API_TOKEN ${sample()}\n`, value: sample() },
      { text: `define('AUTH_KEY', '${salt()}');`, value: salt() },
      {
        text: `APP_KEY=base64:${syntheticSecret(43, 'azAZ09')}=`,
        value: `base64:${syntheticSecret(43, 'azAZ09')}=`,
      },
      { text: `payment_key: "${sample()}"`, value: sample() },
    ],
    not: [
      'api_key = "your-api-key-goes-here"',
      'api_key = process.env.SERVICE_API_KEY_1',
      'api_key = "aaaaaaaaaaaaaaaaaaaa"',
      'primary_key = "4f9a0c17e2b84d6f8a3c"',
      'access_token: retrieveTheAccessToken',
      'api_key = "short1"',
      'SIGNIN_TOKEN = "/oauth2/v2.0/token"',
      'private_key: PKCS7PrivateKeyTypes',
      `"AWS::ApiGateway::ApiKey": "${syntheticSecret(40, '09af')}"`,
      'secret: projects/12345/secrets/shop-db/versions/1',
      `Next page token: ${sample()}`,
      'key: "TIME_24_WITH_LONG_OFFSET"',
      'crypt_gen_key = advapi32.CryptGenKey',
      'result_key: "Ipv6CidrAssociations"',
      "define('AUTH_KEY', 'put your unique phrase here');",
    ],
  },
};

const LETTER = byteSet('azAZ');
const BLANK = byteSet('  \t\t');
const ELL = 0x6c;

function assignedKey(bytes: Buffer, at: number, match: Match): boolean {
  const nameEnd = nameEndBefore(bytes, at);
  const paired = (bytes[nameEnd - 2]! | 32) === 0x75 || (bytes[nameEnd - 2]! | 32) === ELL;
  if (!assignsKey(bytes, at, MIN_LENGTH) && !mayBeFramework(bytes, nameEnd))
    return rejectMatch(match, 'assigned value');
  const assigned = parseAssignment(bytes, at);
  if (assigned === null) return rejectMatch(match, 'assigned value');
  const name = paired ? pairedName(bytes, at, assigned.nameStart) : assigned.name;
  if (name === null) return rejectMatch(match, 'name');
  const whole = textOf(bytes, assigned.start, assigned.end);
  // The key of a query ends where its next parameter begins.
  const before = bytes[assigned.nameStart - 1]!;
  const value = isQuery(before) ? /^[^&#]*/.exec(whole)![0] : whole;
  const end = assigned.start + value.length;
  // AWS::ApiGateway::ApiKey is a type, secret:shop-a1b2c3 a part of the name of a resource.
  if (before === 0x3a && (bytes[assigned.nameStart - 2] === 0x3a || !assigned.name.startsWith('_')))
    return rejectMatch(match, 'name');
  if (/token$/i.test(name) && PAGE_BEFORE.test(textOf(bytes, assigned.nameStart - 6, assigned.nameStart)))
    return rejectMatch(match, 'name');
  if (/^key$/i.test(name) && !(isQuery(before) && !isDocument(bytes, assigned.nameStart)))
    return rejectMatch(match, 'name');
  return acceptKey(match, name, value, assigned.start, end, assigned.quoted || isQuery(before));
}

/** SECRET_KEY, secret_key_base, APP_KEY: their values may have other characters. */
function mayBeFramework(bytes: Buffer, nameEnd: number): boolean {
  const last = bytes[nameEnd - 1]! | 32;
  return (last === 0x79 || last === 0x65) && bytes[nameEnd - (last === 0x79 ? 4 : 5)] === 0x5f;
}

/** The key of a shared document identifies it. */
function isDocument(bytes: Buffer, nameStart: number): boolean {
  return /docs\.google\.com\/[^\s"']*$/.test(textOf(bytes, nameStart - 64, nameStart));
}

function isQuery(before: number): boolean {
  return before === 0x3f || before === 0x26;
}

function calledKey(bytes: Buffer, at: number, match: Match): boolean {
  const call = CALL.exec(textOf(bytes, at, at + 320));
  if (call === null) return rejectMatch(match, 'call');
  const value = call[2] ?? call[3]!;
  const start = at + call[0].lastIndexOf(value);
  return acceptKey(match, call[1]!, value, start, start + value.length, true);
}

function keyOfOption(bytes: Buffer, at: number, match: Match): boolean {
  const option = OPTION.exec(textOf(bytes, at, at + 280));
  if (option === null) return rejectMatch(match, 'option');
  const [, env, value] = option;
  const word = /^[a-z]+/i.exec(option[0])![0];
  const before = NAME_BEFORE.exec(textOf(bytes, at - 40, at));
  if (env === undefined && before === null) return rejectMatch(match, 'option');
  const name = env ?? `${before![1] ?? ''}${word}`;
  const start = at + option[0].length - value!.length;
  return acceptKey(match, name, value!, start, start + value!.length, false);
}

function acceptKey(
  match: Match,
  name: string,
  value: string,
  start: number,
  end: number,
  quoted: boolean,
): boolean {
  match.entropy = entropy(value);
  const framework = isFrameworkSecret(name, value);
  const reasons = REASON.pattern | REASON.assignment | REASON.entropy;
  if (framework) return acceptMatch(match, start, end, reasons);
  if (/^_auth$/i.test(name) && basicCredentials(value) === 'real')
    return acceptMatch(match, start, end, REASON.structure | REASON.assignment);
  if (!BODY.test(value)) return rejectMatch(match, 'form');
  // A key in the query of a URL.
  const named = isSecretKeyName(name) || (quoted && /^key$/i.test(name));
  if (!named && !(isAnyKeyName(name) && value.length >= MIN_PLAIN_LENGTH)) return rejectMatch(match, 'name');
  if (isPlaceholder(value) || isIdentifierOrPath(value)) return rejectMatch(match, 'placeholder');
  if (!quoted && /^[A-Z][A-Z0-9_]+$/.test(value) && value.includes('_'))
    return rejectMatch(match, 'constant');
  if (!looksGenerated(value) || (!named && isLikeName(value))) return rejectMatch(match, 'entropy');
  if (!named) match.confidence = 0.6;
  if (isFiller(value) || PUBLISHED.test(value)) {
    match.confidence = 0.55;
    return acceptMatch(match, start, end, reasons | REASON.testValue);
  }
  return acceptMatch(match, start, end, reasons);
}

/** Made up, and in pieces, so that no other scanner stumbles over this file. */
function sample(): string {
  return ['4f9aQ0c17e', 'Z2b84dK6f8', 'a3cX51'].join('');
}

function hexKey(): string {
  return ['shop', '8d5f77dd', '73577748', '872b0aa437'].join('');
}

function salt(): string {
  return `${syntheticSecret(30, 'azAZ09')}#|{ @${syntheticSecret(24, '!!#&azAZ09')}~^ x9`;
}
