/** Context words as numbers: up to eight letters of a word, in small ones. So the kernel can tell where none of them stands. */
export const LABEL_LETTERS = 8;
export const LABEL_SHIFT = 47;
export const LABEL_CELLS: number = 1 << (64 - LABEL_SHIFT);
export const LABEL_SPREAD = 0x9e3779b97f4a7c15n;

/** Words that stand in many phrases and say little. */
const COMMON = new Set(
  'number no nr num id code name date type key my of the in is a an and for by to new card user file data text first last next current return service'.split(
    ' ',
  ),
);

/** The words without which a phrase cannot stand there: its rarest one, or all of them written together, and their plural. */
export function gateWords(phrase: string): string[] {
  const words = phrase.split(/[ _-]+/);
  const plain = words.flatMap(asciiWords);
  const rarest = plain.reduce((best, word) => (best === '' || weight(word) > weight(best) ? word : best), '');
  const together = [...words.keys()].flatMap((from) =>
    words.slice(from + 1).map((_, n) => words.slice(from, from + n + 2).join('')),
  );
  const all = [rarest, ...together.flatMap((text) => asciiWords(text).slice(0, 1))];
  return [
    ...new Set(all.flatMap((word) => [word, `${word}s`]).map((word) => word.slice(0, LABEL_LETTERS))),
  ].filter((word) => word.length > 1);
}

function weight(word: string): number {
  return COMMON.has(word) ? 1 : 1 + word.length;
}

/** Runs of letters of ASCII: other letters part them. */
function asciiWords(text: string): string[] {
  const bytes = Buffer.from(text).toString('latin1').toLowerCase();
  return bytes.match(/[a-z]+/g) ?? [];
}

export function labelCell(word: string): number {
  let key = 0n;
  for (let n = 0; n < word.length; n++) key |= BigInt(word.charCodeAt(n)) << BigInt(8 * n);
  return Number(BigInt.asUintN(64, key * LABEL_SPREAD) >> BigInt(LABEL_SHIFT));
}
