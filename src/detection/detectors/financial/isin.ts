import { isCountry } from '../../checks/country.ts';
import { cusipChecks, isinChecks, sedolChecks } from '../../checks/securities.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** Of the clearing houses, the European Union and others that are no country. */
const NO_COUNTRY = new Set('XS XA XB XC XD XF XK EU QS QT QY'.split(' '));

export const isin: Detector = formattedId({
  id: 'ISIN',
  title: 'International securities identification number',
  category: 'financial',
  regulations: ['glba'],
  risk: 2,
  confidence: 0.8,
  context: {
    words: ['isin', 'security', 'securities', 'wertpapier', 'fund', 'bond', 'share', 'stock', 'instrument'],
  },
  forms: [
    // The national number inside has its own check digit, or a position that is always zero.
    { pattern: String.raw`(?:US|CA)[0-9A-Z]{9}\d`, free: true },
    { pattern: String.raw`(?:GB|IE)00[0-9A-Z]{7}\d`, free: true },
    { pattern: String.raw`DE000[0-9A-Z]{6}\d`, free: true },
    { pattern: String.raw`[A-Z]{2}[0-9A-Z]{9}\d` },
  ],
  check: (plain) => isinChecks(plain) && nationalChecks(plain),
  plausible: (plain) => isCountry(plain.slice(0, 2)) || NO_COUNTRY.has(plain.slice(0, 2)),
  examples: {
    match: [
      'US0378331005',
      'GB0002634946',
      { text: 'Bayer DE000BAY0017 +1,2 %', value: 'DE000BAY0017' },
      { text: 'ISIN: FR0000988040', value: 'FR0000988040' },
    ],
    not: [
      'US0378331006',
      'US0378331013',
      'GB0002634947',
      'FR0000988040',
      'XUS0378331005',
      'isin ZZ0000988040',
    ],
  },
});

function nationalChecks(plain: string): boolean {
  if (/^(?:US|CA)/.test(plain)) return cusipChecks(plain.slice(2, 11));
  return /^(?:GB|IE)00/.test(plain) ? sedolChecks(plain.slice(4, 11)) : true;
}
