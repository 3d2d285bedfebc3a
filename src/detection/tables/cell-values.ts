/** Whether a cell may hold a value of the kind that the label of its column names. The label counts as evidence, so the tests are loose. */
import { isPlaceholder } from '../checks/placeholder.ts';
import type { LabelKind } from './label-words.ts';

/** NULL, n/a, "-" and the like. */
const EMPTY = /^(?:null|nil|none|nan|n\/?a|n\.a\.|unknown|undefined|empty|[-–—?.*_x#]*|<null>|\\n)$/i;
const MAX_EMPTY = 9;
const WORD_OR_NUMBER = /^[a-wyz\d]/i;
const FLOAT = /^([+-]?\d+)\.0$/;
const NAME = /^\p{L}[\p{L}\p{M}'’`´.\- ]*(?:, ?\p{L}[\p{L}\p{M}'’`´.\- ]*)?$/u;
const MAX_NAME = 60;
const MAX_NAME_WORDS = 7;
const NO_NAME =
  /^(?:true|false|yes|no|ja|nein|oui|non|si|test|admin|root|user|system|anonymous|guest|deleted|default|other|various|misc)$/i;
const PHONE = /^[+(]?[\d\s().\-–/+]*\d[\d\s().\-–/]*(?: ?(?:x|ext\.?|app\.?|durchwahl) ?\d{1,6})?$/i;
const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T].*)?$/;
const POSTAL_CODE =
  /^(?:(?:[A-Z]{1,2}-)?\d{3,7}|\d{5}-\d{3,4}|\d{3}-\d{4}|\d{4}-\d{3}|\d{2}-\d{3}|\d{3} \d{2,3}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|〒?\d{3}-?\d{4})$/i;
const AMOUNT =
  /^(?:[$€£¥₹₺]|[A-Z]{2,3}|kr\.?|zł|Kč)? ?\d[\d\s.,'’]*(?: ?(?:[$€£¥₹₺円]|[A-Z]{3}|kr\.?|zł|Kč|TL|k))?$/iu;
const USER_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}._@\\+-]{1,63}$/u;
const UUID_OR_HASH = /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{24,})$/i;
const EMAIL = /^[^\s@,;"<>]+@[^\s@,;"<>]+\.[^\s@,;"<>]{2,}$/;
const NO_ADDRESS = /^(?:[a-z]+:\/\/|www\.)|^[\d.:/]+$|^[0-9a-f:.-]+$|@|^[A-Z]+(?:_[A-Z]+)+$|[<>{}=]/i;
const WORD = /\p{L}{2}|[\u3040-\u9fff]/u;
const NO_SECRET = /^(?:true|false|yes|no|y|n|t|f|\d{1,3}|set|unset|enabled|disabled)$/i;

export interface CellValue {
  /** Without what a spreadsheet added. */
  readonly text: string;
  /** In characters of the cell. */
  readonly start: number;
}

/** The value of a cell without blanks around it and without the ".0" of a number that was saved as a fraction; null: none. */
export function valueOfCell(cell: string): CellValue | null {
  const trimmed = cell.trim();
  if ((trimmed.length <= MAX_EMPTY || !WORD_OR_NUMBER.test(trimmed)) && EMPTY.test(trimmed)) return null;
  const whole = trimmed.endsWith('.0') ? FLOAT.exec(trimmed)?.[1] : undefined;
  return { text: whole ?? trimmed, start: trimmed === cell ? 0 : cell.indexOf(trimmed) };
}

type CellTest = (text: string) => boolean;

export const CELL_TESTS: Readonly<Partial<Record<LabelKind, CellTest>>> = {
  person_name: isNameLike,
  address: isAddressLike,
  email: (text) => EMAIL.test(text),
  phone: (text) => PHONE.test(text) && isBetween(digitsIn(text), 6, 17) && !DATE.test(text),
  postal_code: (text) => POSTAL_CODE.test(text),
  birth_part: (text) => /^(?:0?[1-9]|[12]\d|3[01]|(?:19|20)\d\d)$/.test(text),
  salary: (text) => AMOUNT.test(text) && isBetween(digitsIn(text), 3, 12) && !DATE.test(text),
  user_name: (text) =>
    USER_NAME.test(text) && WORD.test(text) && !UUID_OR_HASH.test(text) && !NO_NAME.test(text),
  password: (text) =>
    isBetween(text.length, 4, 200) &&
    !/\s/.test(text) &&
    !NO_SECRET.test(text) &&
    !DATE.test(text) &&
    !isPlaceholder(text),
};

export function isNameLike(text: string): boolean {
  return (
    text.length <= MAX_NAME &&
    NAME.test(text) &&
    text.split(' ').length <= MAX_NAME_WORDS &&
    !NO_NAME.test(text)
  );
}

function isAddressLike(text: string): boolean {
  return (
    text.length >= 3 && text.length <= 250 && WORD.test(text) && !NO_ADDRESS.test(text) && !DATE.test(text)
  );
}

export function digitsIn(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) count++;
  }
  return count;
}

function isBetween(number: number, min: number, max: number): boolean {
  return number >= min && number <= max;
}
