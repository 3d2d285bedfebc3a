const NUMBER = /^-?\d[\d.]*$/;
const MAX_NUMBER_LENGTH = 32;

/** The value of a formula that is a single literal; null: it calculates, or refers to cells. */
export function literalOf(formula: string): string | null {
  const bare = formula.trim();
  if (bare.length <= MAX_NUMBER_LENGTH && NUMBER.test(bare)) return bare;
  if (bare.length < 2 || !bare.startsWith('"') || !bare.endsWith('"')) return null;
  const quoted = bare.slice(1, -1);
  // A quote within a text is written twice.
  return quoted.replaceAll('""', '').includes('"') ? null : quoted.replaceAll('""', '"');
}
