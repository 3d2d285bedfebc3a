/**
 * 29 types as expressions that suit automata: the text between a label and its value is short, and nothing is longer than it
 * must be. With the wider ones of bench/patterns.ts, which are nearer to what the detectors do, ripgrep is many times slower; here
 * the others are shown at their best.
 */

/** A value that only a word before it makes one. */
function labelled(words: string, value: string): string {
  return `\\b(?i:${words})(?: ?(?i:no|number|id))?[ \\t:=#"'.-]{0,4}(?:${value})\\b`;
}

const STREET = 'Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way';

/** Of every sort some: prefixes, check digits, forms, labels. */
export const COMPETITOR_PATTERNS: Readonly<Record<string, string>> = {
  PRIVATE_KEY: '-----BEGIN (?:RSA |EC |DSA |OPENSSH |ENCRYPTED )?PRIVATE KEY-----',
  AWS_ACCESS_KEY: '\\b(?:AKIA|ASIA)[A-Z2-7]{16}\\b',
  GITHUB_TOKEN: '\\bgh[pousr]_[A-Za-z0-9]{36}\\b',
  GITLAB_TOKEN: '\\bglpat-[A-Za-z0-9_-]{20}\\b',
  SLACK_TOKEN: '\\bxox[abeprs]-[A-Za-z0-9-]{10,72}\\b',
  STRIPE_KEY: '\\b[sr]k_(?:live|test)_[A-Za-z0-9]{20,99}\\b',
  GOOGLE_API_KEY: '\\bAIza[A-Za-z0-9_-]{35}\\b',
  JWT: '\\beyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{4,}\\.[A-Za-z0-9_-]*',
  PASSWORD: '(?i:password|passwd|passphrase|pwd)["\']?[ \\t]{0,3}[:=][ \\t]{0,3}["\']?[^ \\t\\r\\n"\']{8,64}',
  IBAN: '\\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\\b',
  CREDIT_CARD:
    '\\b(?:(?:4[0-9]{3}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|6011|65[0-9]{2}|64[4-9][0-9])(?:[ -]?[0-9]{4}){3}|3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5})\\b',
  BITCOIN_ADDRESS: '\\b(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[a-z0-9]{39,59})\\b',
  ABA_ROUTING: labelled('routing|aba|rtn', '[0-9]{9}'),
  VIN: '\\b[A-HJ-NPR-Z0-9]{17}\\b',
  NPI: labelled('npi|provider', '[12][0-9]{9}'),
  DEA: '\\b[ABFGMPR][A-Z9][0-9]{7}\\b',
  MRN: labelled('mrn|medical record', '[0-9]{6,10}'),
  MEDICARE_ID:
    '\\b[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9][0-9]-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9][0-9]-?[AC-HJKMNP-RT-Y]{2}[0-9]{2}\\b',
  NHS_NUMBER: labelled('nhs', '[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}'),
  SSN: '\\b[0-8][0-9]{2}-[0-9]{2}-[0-9]{4}\\b',
  NINO: '\\b[A-CEGHJ-PR-TW-Z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]\\b',
  PASSPORT: labelled('passport', '[A-Z]{0,2}[0-9]{6,9}'),
  DRIVER_LICENSE: labelled("driver'?s? licen[cs]e|driving licen[cs]e|dl", '[A-Z][0-9]{7,12}'),
  DATE_DOB: labelled(
    'dob|date of birth|birth ?date|born',
    '[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}',
  ),
  EMAIL: '\\b[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}\\b',
  PHONE:
    '(?:\\b1[-. ])?(?:\\([0-9]{3}\\) ?|\\b[0-9]{3}[-. ])[0-9]{3}[-. ][0-9]{4}\\b|\\+[0-9]{1,3}(?:[ -]?[0-9]{2,4}){3,4}\\b',
  ADDRESS: `\\b[0-9]{1,5} (?:[A-Z][a-z]+ ){1,3}(?:${STREET})\\b`,
  NAME: '\\b(?:Mr|Mrs|Ms|Dr|Prof)\\.? [A-Z][a-z]+(?: [A-Z][a-z]+)?\\b',
  IP_ADDRESS:
    '\\b(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\b|\\b(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}\\b|\\b(?:[0-9A-Fa-f]{1,4}:){1,6}:[0-9A-Fa-f]{1,4}\\b',
};
