/** A number format, as far as it affects the value: a date, or digits with groups and leading zeros. */
export type NumberFormat = 'as it is' | 'date' | 'time' | 'date and time' | DigitPattern;

/** A format code has sections for different ranges of numbers; the first match applies. */
export interface DigitPattern {
  /** From last to first: `0`, `#` for a digit, else a literal character. */
  readonly slots: readonly Slot[];
  /** It is for numbers up to this; others have the next. */
  readonly upTo: number;
  readonly beyond: NumberFormat;
}

type Slot = { readonly digit: boolean; readonly text: string };

/** Codes that have a number only. */
export function builtInFormat(id: number): NumberFormat {
  if (id === 22) return 'date and time';
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return 'date';
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47) return 'time';
  return 'as it is';
}

const LITERAL = /"([^"]*)"|\\(.)|_.|\*./gs;
const BRACKETS = /\[[^\]]*\]/g;
const MAX_LENGTH = 1000;

export function parseFormat(code: string): NumberFormat {
  if (code.length > MAX_LENGTH) return 'as it is';
  const [first = '', ...rest] = sectionsOf(code);
  const letters = first.replace(LITERAL, '').replace(/am\/pm|a\/p/gi, 'h');
  if (/general|\[[hms]+\]/i.test(letters)) return 'as it is';
  const bare = letters.replace(BRACKETS, '');
  const date = /[yd]|m{3}/i.test(bare);
  const time = /[hs]/i.test(bare);
  if (date || time) return date && time ? 'date and time' : date ? 'date' : 'time';
  if (/m/i.test(bare)) return 'date';
  return digitPattern(first, rest);
}

/** `;` parts them, outside quotes. */
function sectionsOf(code: string): readonly string[] {
  return code.match(/(?:"[^"]*"|\\.|[^;])+/gs) ?? [];
}

/** At least five digits, with separators only: an identifier, not a quantity. */
function digitPattern(section: string, rest: readonly string[]): NumberFormat {
  const upTo = /\[<(=?)(\d{1,15})\]/.exec(section);
  const slots: Slot[] = [];
  for (const [part, quoted, escaped] of section
    .replace(BRACKETS, '')
    .matchAll(/"([^"]*)"|\\(.)|_.|\*.|./gs)) {
    const text = quoted ?? escaped ?? part;
    if (quoted !== undefined || escaped !== undefined) slots.push({ digit: false, text });
    else if (/^[0#]$/.test(part)) slots.push({ digit: true, text });
    else if (/^[-/ ()+:]$/.test(part)) slots.push({ digit: false, text });
    else if (part.length === 1) return 'as it is';
  }
  const digits = slots.filter(({ digit }) => digit).length;
  if (digits < 5) return 'as it is';
  if (upTo === null) return { slots: slots.reverse(), upTo: Infinity, beyond: 'as it is' };
  const limit = Number(upTo[2]) - (upTo[1] === '=' ? 0 : 1);
  const beyond = rest[0] === undefined ? 'as it is' : digitPattern(rest[0], []);
  return { slots: slots.reverse(), upTo: limit, beyond };
}

/** null: not a number that digits can be put in groups of. */
export function digitsInPattern(value: number, { slots, upTo, beyond }: DigitPattern): string | null {
  if (!Number.isSafeInteger(value) || value < 0) return null;
  if (value > upTo) return typeof beyond === 'string' ? null : digitsInPattern(value, beyond);
  let left = String(value);
  let shown = '';
  const first = slots.findLastIndex(({ digit }) => digit);
  for (const [i, { digit, text }] of slots.entries()) {
    if (!digit) shown = text + shown;
    else if (i === first) {
      shown = (left === '' && text === '0' ? '0' : left) + shown;
      left = '';
    } else {
      shown = (left.at(-1) ?? (text === '0' ? '0' : '')) + shown;
      left = left.slice(0, -1);
    }
  }
  return shown;
}
