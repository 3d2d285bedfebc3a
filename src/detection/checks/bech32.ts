/**
 * Checksums of bech32 (BIP-173), bech32m (BIP-350) and CashAddr (Bitcoin Cash). Only the checksum is needed, not the decoded program, so
 * no library is used.
 */
const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const BECH32 = 1;
const BECH32M = 0x2bc830a3;

/** BIP-173 (witness version 0) and BIP-350 (later versions) differ only in the constant that the checksum must equal. */
export function segwitChecks(address: string): boolean {
  const read = parseBech32(address);
  return read !== null && read.sum === (read.first === 0 ? BECH32 : BECH32M);
}

/** Other chains use the checksum without the witness version. */
export function bech32Checks(address: string): boolean {
  return parseBech32(address)?.sum === BECH32;
}

function parseBech32(address: string): { first: number; sum: number } | null {
  const text = address.toLowerCase();
  if (text !== address && address.toUpperCase() !== address) return null;
  const split = text.lastIndexOf('1');
  const data = [...text.slice(split + 1)].map((c) => ALPHABET.indexOf(c));
  if (split < 1 || data.length < 7 || data.includes(-1)) return null;
  const codes = [...text.slice(0, split)].map((c) => c.charCodeAt(0));
  const values = [...codes.map((c) => c >> 5), 0, ...codes.map((c) => c & 31), ...data];
  return { first: data[0]!, sum: polymod(values) };
}

function polymod(values: readonly number[]): number {
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (let i = 0; i < 5; i++) if ((top >> i) & 1) check ^= GENERATOR[i]!;
  }
  return check;
}

/** The six checksum characters of BIP-173 for `data`. */
export function bech32Sum(prefix: string, data: string): string {
  const codes = [...prefix].map((c) => c.charCodeAt(0));
  const values = [...data].map((c) => ALPHABET.indexOf(c));
  const sum =
    polymod([...codes.map((c) => c >> 5), 0, ...codes.map((c) => c & 31), ...values, 0, 0, 0, 0, 0, 0]) ^ 1;
  return [25, 20, 15, 10, 5, 0].map((shift) => ALPHABET[(sum >> shift) & 31]).join('');
}

const CASH_GENERATOR = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];

/** Bitcoin Cash: the same letters with a checksum of forty bits. `payload` is what follows "bitcoincash:". */
export function cashAddressChecks(payload: string): boolean {
  const prefix = [...'bitcoincash'].map((c) => c.charCodeAt(0) & 31);
  const data = [...payload.toLowerCase()].map((c) => ALPHABET.indexOf(c));
  if (data.length < 9 || data.includes(-1)) return false;
  let check = 1n;
  for (const value of [...prefix, 0, ...data]) {
    const top = check >> 35n;
    check = ((check & 0x07ffffffffn) << 5n) ^ BigInt(value);
    for (let i = 0; i < 5; i++) if ((top >> BigInt(i)) & 1n) check ^= CASH_GENERATOR[i]!;
  }
  return check === 1n;
}
