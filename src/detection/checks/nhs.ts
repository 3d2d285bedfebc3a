/** NHS number (England, Wales, Isle of Man): weights 10…2, eleven minus the rest; 10 is never issued. */
export function nhsChecks(digits: string): boolean {
  if (!/^\d{10}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += Number(digits[i]) * (10 - i);
  return (11 - (sum % 11)) % 11 === Number(digits[9]);
}
