const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const LETTERS = 'ABCDEFGH..JKLMN.P.R..STUVWXYZ'; // A–H = 1–8, J–R = 1–9, S–Z = 2–9; the gaps keep the arithmetic simple

/** ISO 3779 with the North American check digit in the ninth position. I, O and Q do not occur. */
export function vinChecks(vin: string): boolean {
  // The last four are a serial number; requiring digits there rejects most words and keys.
  // Makers have letters, too: digits alone are some other number.
  if (!/^[A-HJ-NPR-Z0-9]{13}\d{4}$/.test(vin) || !/[A-Z]/.test(vin)) return false;
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += weightOf(vin[i]!) * WEIGHTS[i]!;
  const rest = sum % 11;
  return vin[8] === (rest === 10 ? 'X' : String(rest));
}

function weightOf(c: string): number {
  if (c >= '0' && c <= '9') return Number(c);
  return (LETTERS.indexOf(c) % 10) + 1;
}
