/** Numbers printed in advertisements and on sample cards, which are not valid. */
const ADVERTISED = new Set(['078051120', '219099999', '457555462']);

/** US Social Security: areas 000, 666 and 900–999, group 00 and serial 0000 are never issued. */
export function ssnIssuable(digits: string): boolean {
  const area = digits.slice(0, 3);
  if (area === '000' || area === '666' || area[0] === '9') return false;
  return digits.slice(3, 5) !== '00' && digits.slice(5) !== '0000' && !ADVERTISED.has(digits);
}

/** 111111111, 123121234 …: valid by the rules, typed by people who test a form. */
export function ssnLooksTyped(digits: string): boolean {
  return (
    /^(\d)\1{8}$/.test(digits) || digits === '123121234' || digits === '111223333' || digits === '111222333'
  );
}
