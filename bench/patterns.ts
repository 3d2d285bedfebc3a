/**
 * The detectors as regular expressions for ripgrep, one each: as close as an expression without checksums, entropy and
 * look-around can be. It finds more than Seine does, with less detail; the search effort is the same.
 */

/** A value that only a word before it makes one, as in src/detection/context.ts. */
function labelled(words: string, value: string): string {
  return `(?i:\\b(?:${words}))[^\\n0-9]{0,48}?\\b(?:${value})\\b`;
}

/** `name = value`, `"name": "value"`, `NAME=value`. */
function assigned(names: string, value: string): string {
  return `(?i:${names})["'\`\\] ]{0,3}(?:[:=]|=>)[ ]{0,3}["'\`]?${value}`;
}

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}';
const STREET =
  'Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Drive|Dr|Lane|Ln|Court|Ct|Place|Pl|Square|Sq|Terrace|Ter|Parkway|Pkwy|Circle|Cir|Highway|Hwy|Trail|Trl|Way';

export const PATTERNS: Readonly<Record<string, string>> = {
  PRIVATE_KEY: '-----BEGIN (?:[A-Z]+ ){0,2}PRIVATE KEY(?: BLOCK)?-----',
  AWS_ACCESS_KEY: '\\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\\b',
  GITHUB_TOKEN: '\\b(?:gh[pousr]_[A-Za-z0-9_]{36,255}|github_pat_[A-Za-z0-9_]{60,255})\\b',
  GITLAB_TOKEN: '\\bgl(?:pat|dt|ptt|rt)-[A-Za-z0-9_-]{20,64}\\b',
  SLACK_TOKEN: '\\bx(?:ox[bpares]|app)-[A-Za-z0-9-]{24,200}\\b',
  SLACK_WEBHOOK:
    'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9]{6,14}/[A-Za-z0-9]{6,20}/[A-Za-z0-9]{16,48}',
  STRIPE_KEY: '\\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{20,247}|whsec_[A-Za-z0-9]{32,64})\\b',
  GOOGLE_API_KEY: '\\bAIza[A-Za-z0-9_-]{35}\\b',
  JWT: '\\beyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{4,}\\.[A-Za-z0-9_-]*',
  AWS_SECRET_KEY: assigned(
    '(?:(?:aws|amazon|s3|iam)[a-z0-9_.-]{0,32}(?:secret|key)|secret[_.-]?access[_.-]?key)',
    '[A-Za-z0-9+/]{40}\\b',
  ),
  DATABASE_URL: '[A-Za-z0-9+.-]+://[A-Za-z0-9._%+~!$*-]{0,64}:[^\\s"\'/:@<>]{1,128}@',
  IBAN: '\\b[A-Z]{2}[0-9]{2}(?:[A-Z0-9]{11,30}|(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?)\\b',
  CREDIT_CARD:
    '\\b(?:[0-9]{12,19}|[0-9]{4}(?:(?: [0-9]{4}){3}|(?:-[0-9]{4}){3})|[0-9]{4}[ -][0-9]{6}[ -][0-9]{4,5})\\b',
  BITCOIN_ADDRESS: '\\b(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[a-z0-9]{39,59})\\b',
  VIN: '\\b[A-HJ-NPR-Z0-9]{8}[0-9X][A-HJ-NPR-Z0-9]{4}[0-9]{4}\\b',
  NPI: labelled('npi|national provider|provider (?:id|identifier|number)', '[12][0-9]{9}'),
  DEA: labelled('dea|prescriber|registration', '[A-Z][A-Z9][0-9]{7}'),
  ABA_ROUTING: labelled('aba|routing|rtn|transit', '[0-9]{9}'),
  NHS_NUMBER: labelled('nhs|patient|national health', '[0-9]{10}|[0-9]{3}[ -][0-9]{3}[ -][0-9]{4}'),
  SSN: `\\b[0-8][0-9]{2}-[0-9]{2}-[0-9]{4}\\b|${labelled('ssn|social security|soc sec|tin|itin', '[0-9]{9}|[0-9]{3} [0-9]{2} [0-9]{4}')}`,
  MEDICARE_ID:
    '\\b[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9][0-9]-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9][0-9]-?[AC-HJKMNP-RT-Y]{2}[0-9]{2}\\b',
  NINO: '\\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?:[0-9]{6}| [0-9]{2} [0-9]{2} [0-9]{2} )[A-D]\\b',
  SWIFT_BIC: labelled('swift|bic|bank code', '[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?'),
  EMAIL: "[A-Za-z0-9_][A-Za-z0-9._%+'-]{0,63}@[A-Za-z0-9][A-Za-z0-9.-]{0,250}\\.[A-Za-z]{2,}\\b",
  IP_ADDRESS:
    '\\b(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\b|\\b(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}\\b|\\b[0-9a-fA-F]{3,4}:(?:[0-9a-fA-F]{1,4}:){0,6}:[0-9a-fA-F]{1,4}\\b',
  DATE_DOB: labelled(
    'dob|d\\.o\\.b|born|birth ?day|birth ?date|birth|date of birth',
    `[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:[0-9]{4}|[0-9]{2})|${MONTH} [0-9]{1,2},? [0-9]{4}|[0-9]{1,2} ${MONTH},? [0-9]{4}`,
  ),
  PASSPORT: labelled('passport|travel document', '[0-9]{8,9}|[A-Z]{1,2}[0-9]{6,8}'),
  DRIVER_LICENSE: labelled(
    "driver'?s? licen[cs]e|driving licen[cs]e|licen[cs]e n(?:o|umber)|dln?",
    '[0-9]{7,13}|[A-Z]{1,2}[0-9]{5,14}|[A-Z][0-9]{3}(?:-[0-9]{3,4}){2,3}',
  ),
  HEALTH_PLAN_ID: labelled(
    'member (?:id|no|number)|subscriber (?:id|number)|health plan|insurance (?:id|number)|beneficiary id|medicaid',
    '[0-9]{8,12}|[A-Z]{1,4}[0-9]{6,12}',
  ),
  MRN: labelled(
    'mrn|medical record|patient (?:id|no|number)|chart number|hospital number',
    '[A-Z]{0,4}-?[0-9]{5,10}',
  ),
  PHONE: `(?:\\(|\\b)[2-9][0-9]{2}(?:\\) ?|[ .-])[2-9][0-9]{2}[ .-][0-9]{4}\\b|\\+[1-9](?:[ .-]?\\(?[0-9]+\\)?){1,6}|${labelled('(?:tele)?phone|tel|mobile|cell|fax|call (?:me|us)|desk|sms|hotline|dial', '[0-9]{7,11}|[0-9]{2,5}(?:[ .-][0-9]{2,5}){1,3}')}`,
  ADDRESS: `\\b[0-9]{1,6} (?:(?:[NSEW]|North|South|East|West|NE|NW|SE|SW)\\.? )?(?:(?:[A-Z][a-z]+|[0-9]{1,3}(?:st|nd|rd|th)) ){1,4}(?:${STREET})\\b`,
  PASSWORD: assigned('(?:pass(?:word|wd|phrase|code)?|pwd|[_.-]pw)', '[^\\s"\'`,;<>]{4,128}'),
  API_KEY: assigned(
    '(?:(?:api|access|auth|secret|private|client|app|application|service|account|encryption|signing|bearer|refresh|master|webhook|session)[ _.-]?(?:key|token|secret)|[_.-](?:token|secret|apikey))',
    '[A-Za-z0-9_+/=.~-]{16,200}',
  ),
  NAME: `\\b(?:Mr|Mrs|Ms|Dr|Prof)\\.? (?:[A-Z]\\.? |[A-Z][a-z']+ )?[A-Z][a-z']+|${assigned('(?:full|first|last|given|family|middle|maiden|patient|customer|client|employee|member|contact|holder)[ _.-]?name|surname', "[A-Z][a-z']+")}`,
};
