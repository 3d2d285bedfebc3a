/** ABA routing number: a Federal Reserve prefix and weights 3-7-1, sum divisible by 10. */
export function abaChecks(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || !knownPrefix(Number(digits.slice(0, 2)))) return false;
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += Number(digits[i]) * [3, 7, 1][i % 3]!;
  return sum % 10 === 0;
}

/** 00 is the government, 01–12 banks, 21–32 thrifts, 61–72 electronic, 80 travellers' cheques. */
function knownPrefix(prefix: number): boolean {
  return prefix <= 12 || (prefix >= 21 && prefix <= 32) || (prefix >= 61 && prefix <= 72) || prefix === 80;
}
