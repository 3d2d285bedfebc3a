/** The last category of each letter's chapters; 99 if not listed. */
const LAST: Readonly<Record<string, number>> = { E: 90, H: 95, K: 95, P: 96, T: 98, U: 99 };
const SHAPE = /^[A-Z]\d[0-9AB](?:\.?[0-9A-TV-Z]{1,4})?$/;

/** ICD-10 in its clinical modifications: letter, category, and after the dot up to four more characters (the last may be a letter). */
export function icd10Shaped(code: string): boolean {
  if (!SHAPE.test(code)) return false;
  const category = Number.parseInt(code.slice(1, 3), 10);
  // A and B in the third position are rare: C4A, C7A, C7B, D3A, M1A, O9A, Z3A.
  if (/[AB]/.test(code[2]!)) return /^(?:C4A|C7A|C7B|D3A|M1A|O9A|Z3A)/.test(code);
  return category <= (LAST[code[0]!] ?? 99);
}
