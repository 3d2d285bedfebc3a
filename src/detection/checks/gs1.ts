/** GS1 (EAN, UPC, GTIN, SSCC): weights 3 and 1 from the right, the sum with the check digit ends in 0. */
export function gs1Checks(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const weight = (digits.length - i) % 2 === 0 ? 3 : 1;
    sum += weight * (digits.charCodeAt(i) - 48);
  }
  return /^\d+$/.test(digits) && sum % 10 === 0;
}
