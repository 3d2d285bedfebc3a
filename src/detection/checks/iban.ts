import { mod97, mod97Bytes } from './check-digits.ts';

/** Lengths from the SWIFT IBAN registry. A number of another length is no IBAN, even if its checksum is valid. */
const LENGTHS =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 ' +
  'FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 ' +
  'LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 ' +
  'RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30';

const BY_COUNTRY = new Map(LENGTHS.split(' ').map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]));

/** Undefined: no country that has IBANs. */
export function ibanLength(country: string): number | undefined {
  return BY_COUNTRY.get(country);
}

/** Like `ibanLength`, for the two letters at a position of the bytes, in any case; 0: none. */
export function ibanLengthAt(bytes: Uint8Array, at: number): number {
  return BY_LETTERS[lettersKey(bytes[at]!, bytes[at + 1]!)]!;
}

const BY_LETTERS = new Uint8Array(1 << 10);
for (const [country, length] of BY_COUNTRY)
  BY_LETTERS[lettersKey(country.charCodeAt(0), country.charCodeAt(1))] = length;

function lettersKey(first: number, second: number): number {
  return (first & 31) | ((second & 31) << 5);
}

/** Whether the check digits of the number in these bytes are right; blanks are passed over. */
export function ibanChecksAt(bytes: Uint8Array, from: number, to: number): boolean {
  return (
    mayBeIssued(bytes, from + 2) &&
    mod97Bytes(bytes, from, from + 4, mod97Bytes(bytes, from + 4, to, 0)) === 1
  );
}

/** `iban` in upper case, without blanks. */
export function ibanChecks(iban: string): boolean {
  return (
    ibanLength(iban.slice(0, 2)) === iban.length &&
    !/^..(?:0[01]|99)/.test(iban) &&
    mod97(iban.slice(4) + iban.slice(0, 4)) === 1
  );
}

/** Check digits are 98 minus a remainder, so 00, 01 and 99 are never issued although their remainder is right. */
function mayBeIssued(bytes: Uint8Array, at: number): boolean {
  const [tens, ones] = [bytes[at]!, bytes[at + 1]!];
  return !(tens === 0x30 && ones <= 0x31) && !(tens === 0x39 && ones === 0x39);
}
