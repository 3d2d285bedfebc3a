import { describe, expect, it } from 'vitest';
import { cusipChecks, figiChecks, isinChecks, sedolChecks } from './securities.ts';

const PUBLISHED: [string, (text: string) => boolean, string[]][] = [
  ['CUSIP', cusipChecks, ['037833100', '17275R102', '38259P508', '594918104', '68389X105']],
  ['ISIN', isinChecks, ['US0378331005', 'GB0002634946', 'DE000BAY0017', 'AU0000XVGZA3', 'FR0000988040']],
  ['SEDOL', sedolChecks, ['0263494', 'B0WNLY7', '7108899', 'B0YBKJ7']],
  ['FIGI', figiChecks, ['BBG000BLNNH6', 'BBG000B9XRY4', 'BBG000BLNQ16']],
];

describe.each(PUBLISHED)('%s', (_, check, numbers) => {
  it.each(numbers)('%s, listed on an exchange, passes', (text) => expect(check(text)).toBe(true));
  it.each(numbers)('%s with another last digit fails', (text) => {
    for (let digit = 0; digit < 10; digit++) {
      const other = text.slice(0, -1) + digit;
      if (other !== text) expect(check(other)).toBe(false);
    }
  });
  it.each(numbers)('%s, shortened, fails', (text) => expect(check(text.slice(1))).toBe(false));
});
