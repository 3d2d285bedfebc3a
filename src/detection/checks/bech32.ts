const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** BIP-173 (witness version 0) and BIP-350 (later versions) differ only in the constant the checksum must give. */
export function bech32Checks(address: string): boolean {
  const text = address.toLowerCase();
  const split = text.lastIndexOf('1');
  const prefix = text.slice(0, split);
  const data = [...text.slice(split + 1)].map((c) => ALPHABET.indexOf(c));
  if (split < 1 || data.length < 7 || data.includes(-1)) return false;
  const codes = [...prefix].map((c) => c.charCodeAt(0));
  const values = [...codes.map((c) => c >> 5), 0, ...codes.map((c) => c & 31), ...data];
  return polymod(values) === (data[0] === 0 ? 1 : 0x2bc830a3);
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
