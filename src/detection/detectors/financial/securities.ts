import { mod97 } from '../../checks/check-digits.ts';
import { isCountry } from '../../checks/country.ts';
import { cusipChecks, figiChecks, isinChecks, sedolChecks } from '../../checks/securities.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

/** Of the clearing houses, the European Union and others that are no country. */
const NON_COUNTRY_PREFIXES = new Set('XS XA XB XC XD XF XK EU QS QT QY'.split(' '));

/** Numbers of securities and of their issuers. */
export const securities: readonly Detector[] = [
  formattedId({
    id: 'CUSIP',
    title: 'CUSIP number of a North American security',
    category: 'financial',
    country: 'US',
    regulations: ['glba'],
    risk: 2,
    context: { words: ['cusip', 'cusip no', 'cusip number', 'security id', 'cins'] },
    forms: [{ pattern: String.raw`[0-9A-Z]{8}\d` }],
    check: cusipChecks,
    examples: {
      match: [
        { text: 'CUSIP: 037833100', value: '037833100' },
        { text: 'CUSIP No. 17275R102 Cisco', value: '17275R102' },
        { text: '38259P508', field: 'cusip' },
      ],
      not: ['037833100', 'CUSIP 037833101', 'CUSIP 0378331005', 'CUSIP 03783310'],
    },
  }),
  formattedId({
    id: 'DE_WKN',
    title: 'German securities number (WKN)',
    category: 'financial',
    country: 'DE',
    regulations: ['glba'],
    risk: 2,
    confidence: 0.7,
    context: { words: ['wkn', 'wertpapierkennnummer', 'wertpapier kenn nummer', 'wertpapierkennummer'] },
    forms: [{ pattern: '[A-HJ-NP-Z0-9]{6}' }],
    plausible: (plain) => /\d/.test(plain),
    examples: {
      match: [
        { text: 'WKN: 865985', value: '865985' },
        { text: 'Apple WKN A0YEDG', value: 'A0YEDG' },
        { text: 'BAY001', field: 'wkn' },
      ],
      not: ['865985', 'WKN ABCDEF', 'WKN 8659851', 'WKN A0YEDO', 'WKN 86598'],
    },
  }),
  formattedId({
    id: 'FIGI',
    title: 'Financial instrument global identifier',
    category: 'financial',
    regulations: ['glba'],
    risk: 2,
    context: { words: ['figi', 'open figi', 'bbgid', 'bloomberg'] },
    forms: [
      { pattern: String.raw`BBG0[0-9B-DF-HJ-NP-TV-Z]{7}\d`, free: true },
      { pattern: String.raw`[B-DF-HJ-NP-TV-Z]{2}G[0-9B-DF-HJ-NP-TV-Z]{8}\d` },
    ],
    check: figiChecks,
    examples: {
      match: ['BBG000BLNNH6', 'BBG000B9XRY4', { text: 'IBM US (BBG000BLNNH6)', value: 'BBG000BLNNH6' }],
      not: ['BBG000BLNNH7', 'BBG000BLNAH6', 'ABBG000BLNNH6', 'BBG000BLNNH'],
    },
  }),
  formattedId({
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
    check: (plain) => isinChecks(plain) && nationalNumberChecks(plain),
    plausible: (plain) => isCountry(plain.slice(0, 2)) || NON_COUNTRY_PREFIXES.has(plain.slice(0, 2)),
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
  }),
  formattedId({
    id: 'LEI',
    title: 'Legal entity identifier',
    category: 'financial',
    regulations: ['glba'],
    risk: 2,
    context: { words: ['lei', 'lei code', 'legal entity', 'legal entity identifier', 'gleif'] },
    forms: [
      // ISO 17442: issuer of four digits and two zeros; the earliest ones, issued before the standard, have neither.
      { pattern: String.raw`\d{4}00[A-Z0-9]{12}\d{2}`, free: true },
      { pattern: String.raw`[A-Z0-9]{18}\d{2}` },
    ],
    check: (plain) => plain.length === 20 && mod97(plain) === 1,
    plausible: (plain) => /[A-Z]/.test(plain),
    examples: {
      match: [
        { text: 'LEI: 5493006MHB84DD0ZWV18', value: '5493006MHB84DD0ZWV18' },
        { text: '529900T8BM49AURSDO55', field: 'lei' },
        '529900T8BM49AURSDO55',
        { text: 'Legal entity identifier HWUPKR0MPOU8FGXBT394', value: 'HWUPKR0MPOU8FGXBT394' },
      ],
      not: [
        '5493006MHB84DD0ZWV19',
        'LEI 5493006MHB84DD0ZWV19',
        'HWUPKR0MPOU8FGXBT394',
        '5493006MHB84DD0ZWV180',
        'LEI 5493006MHB84DD0ZWV1',
      ],
    },
  }),
  formattedId({
    id: 'SEDOL',
    title: 'SEDOL number of a security of the London Stock Exchange',
    category: 'financial',
    country: 'GB',
    regulations: ['glba'],
    risk: 2,
    context: { words: ['sedol', 'sedol code', 'sedol number'] },
    forms: [{ pattern: String.raw`[0-9B-DF-HJ-NP-TV-Z]{6}\d` }],
    check: sedolChecks,
    examples: {
      match: [
        { text: 'SEDOL: 0263494', value: '0263494' },
        { text: 'SEDOL B0WNLY7', value: 'B0WNLY7' },
        { text: '7108899', field: 'sedol' },
      ],
      not: ['0263494', 'SEDOL 0263495', 'SEDOL A0WNLY7', 'SEDOL 02634940'],
    },
  }),
];

function nationalNumberChecks(plain: string): boolean {
  if (/^(?:US|CA)/.test(plain)) return cusipChecks(plain.slice(2, 11));
  return /^(?:GB|IE)00/.test(plain) ? sedolChecks(plain.slice(4, 11)) : true;
}
