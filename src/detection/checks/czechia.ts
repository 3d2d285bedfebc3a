import { dayExists } from './calendar-date.ts';

/**
 * Rodné číslo, Czech and Slovak: women's months are 50 later, and 20 more where the day had no number left. Ten digits are a
 * multiple of 11, or until 1985 ended in 0 where the check would have been 10. Nine, without a check, were issued until 1953.
 */
export function rodneCisloChecks(digits: string): boolean {
  if (!/^\d{10}$/.test(digits) || !birthdayExists(digits)) return false;
  const body = Number(digits.slice(0, 9));
  return (
    Number(digits) % 11 === 0 || (body % 11 === 10 && digits[9] === '0' && Number(digits.slice(0, 2)) < 86)
  );
}

/** Ten digits were issued from 1954 on, the additional 20 months from 2004 on. */
function birthdayExists(digits: string): boolean {
  const year = Number(digits.slice(0, 2));
  const month = Number(digits.slice(2, 4)) % 50;
  const added = month > 20 ? 20 : 0;
  const issued = year >= 54 || year < 40;
  return (
    issued &&
    (added === 0 || (year >= 4 && year < 40)) &&
    dayExists(month - added, Number(digits.slice(4, 6)))
  );
}
