import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE62_PLACES = 6;
const BASE36_PLACES = 7;

/** GitHub and npm: the last six characters are the CRC-32 of those before them (without the prefix), in base 62. */
export function base62Sum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let i = 0; i < BASE62_PLACES; i++) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

export function base62SumChecks(body: string): boolean {
  return body.slice(-BASE62_PLACES) === base62Sum(body.slice(0, -BASE62_PLACES));
}

/** GitLab's routable tokens: the last seven characters are the CRC-32 of all before them, in base 36. */
export function base36Sum(before: string): string {
  return crc32(before).toString(36).padStart(BASE36_PLACES, '0');
}

export function base36SumChecks(token: string): boolean {
  return token.slice(-BASE36_PLACES) === base36Sum(token.slice(0, -BASE36_PLACES));
}

/** Grafana: the CRC-32 of prefix and secret, least byte first, in hexadecimal. */
export function hexSum(before: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(crc32(before));
  return bytes.toString('hex');
}

/** Zuplo: the CRC-32 of the secret, in hexadecimal. */
export function crc32Hex(random: string): string {
  return crc32(random).toString(16).padStart(8, '0');
}
