/** ISO 7064 MOD 97-10 of letters and digits (A = 10 … Z = 35), a piece at a time so that no number grows large. */
export function mod97(text: string): number {
  let rest = 0;
  for (let i = 0; i < text.length; i++) {
    const value = Number.parseInt(text[i]!, 36);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return rest;
}
