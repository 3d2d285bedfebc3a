import { oneDigitOnly } from './check-digits.ts';

const WORDS =
  /^(?:string|str|text|varchar|char|number|int|integer|bool|boolean|any|object|unknown|void|null|nil|none|undefined|true|false|empty|required|optional|hidden|redacted|masked|removed|omitted|placeholder|example|sample|dummy|todo|tbd|n\/?a|yes|no|on|off|self|this|input|prompt|value|default)$/i;

const FILLED = /^(.)\1*$|^[x*.•_\-#?\s]+$/i;

const REFERENCE =
  /^\$[A-Z_][A-Z0-9_]*$|^%[A-Z_]+%$|^\$\(|^\{|\$\{|#\{|\{\{|<%|%\(|%[sdv]|^<.*>$|^\[.*\]$|^!(?:ref|vault|sub)|^(?:env|vault|secret|ssm|op|arn):/i;

const LOOKED_UP =
  /process\.env|os\.environ|getenv|import\.meta|config[.[(]|settings\.|secrets?\.|vault\.|\bself\.|\bthis\.|\breq(?:uest)?\.|\bargs?\./i;

const HINT =
  /^(?:your|my|the|some|enter|insert|replace|put|add)[-_ ](?:.*[-_ ])?(?:here|password|passwd|secret|token|key)$|(?:_|-|\b)here$|x{4,}|\*{3,}|\.{3,}|<[a-z_ -]+>/i;

/** A placeholder instead of a secret: `${VAR}`, `<password>`, `xxxx`, `process.env.X`, `your-key-here`. */
export function isPlaceholder(value: string): boolean {
  if (value === '' || FILLED.test(value) || WORDS.test(value)) return true;
  return REFERENCE.test(value) || LOOKED_UP.test(value) || HINT.test(value);
}

const FILLER =
  /example|sample|dummy|placeholder|change-?me|replace|redacted|insert|your[-_]?(?:api|key|token|secret)|x{6,}|0{8,}|\*{3,}|\.{3,}/i;

const STEPS = '01234567890123456789 abcdefghijklmnopqrstuvwxyz 98765432109876543210';

const RUN = 9;

/** Whether two characters may be adjacent in STEPS: one up, one down, 9 before 0 or 0 before 9, a blank. */
function isStep(first: number, second: number): boolean {
  const step = Math.abs(second - first);
  return step === 1 || step === 9 || first === 0x20 || second === 0x20;
}

/** Filler that manuals use for a token's random part: xxxxxx, EXAMPLE, 123456789, abcdefghi. */
export function isFiller(body: string): boolean {
  if (FILLER.test(body) || new Set(body).size < 5) return true;
  const text = body.toLowerCase();
  for (let i = 0; i + RUN <= text.length; i += 1) {
    if (isStep(text.charCodeAt(i), text.charCodeAt(i + 1)) && STEPS.includes(text.slice(i, i + RUN)))
      return true;
  }
  return false;
}

/** 000000000 or 123456789: valid under some check digit rules, but never a real number. */
export function isTypedRow(digits: string): boolean {
  return oneDigitOnly(digits) || '01234567890123'.includes(digits) || '9876543210'.includes(digits);
}
