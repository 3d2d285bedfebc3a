/** Values that are numbers in the file, as a person would write them. */
/** A decimal with that many fraction digits. A scale beyond the precision is ignored. */
export function decimalText(unscaled: number | bigint, scale: number): string {
  const text = String(unscaled);
  if (!(scale > 0 && scale <= 1000)) return text;
  const digits = (text.startsWith('-') ? text.slice(1) : text).padStart(scale + 1, '0');
  return `${text.startsWith('-') ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** A big-endian integer in two's complement; null: too long to be a number that means anything. */
export function signedInteger(bytes: Uint8Array, from: number, to: number): bigint | null {
  if (to - from > 256) return null;
  if (from >= to) return 0n;
  let value = BigInt((bytes[from]! << 24) >> 24);
  for (let i = from + 1; i < to; i++) value = (value << 8n) | BigInt(bytes[i]!);
  return value;
}

export function uuidText(bytes: Uint8Array, from: number): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset + from, 16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
