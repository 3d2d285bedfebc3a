/** US DEA registration: registrant letter, initial or 9, six digits and (d1+d3+d5 + 2(d2+d4+d6)) mod 10. */
export function deaChecks(text: string): boolean {
  if (!/^[ABCDEFGHJKLMPRSTUX][A-Z9]\d{7}$/.test(text)) return false;
  const d = (n: number) => Number(text[n + 1]);
  if (/^0+$/.test(text.slice(2))) return false;
  return (d(1) + d(3) + d(5) + 2 * (d(2) + d(4) + d(6))) % 10 === d(7);
}
