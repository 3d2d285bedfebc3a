/** ISO 7064 MOD 11,10: one check digit at the end of any number of digits. */
export function mod1110(digits: string): boolean {
  let rest = 10;
  for (let i = 0; i < digits.length - 1; i++) {
    const sum = (rest + Number(digits[i])) % 10 || 10;
    rest = (sum * 2) % 11;
  }
  return (11 - rest) % 10 === Number(digits.at(-1));
}
