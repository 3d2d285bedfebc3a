import { textOf } from '../../bytes.ts';
import { isPlaceholder } from '../../checks/placeholder.ts';
import { isPublishedPassword } from '../../checks/published-password.ts';
import { acceptMatch, type Match, rejectMatch } from '../../detector.ts';
import { REASON } from '../../reasons.ts';
import { isPasswordName } from './password-name.ts';

const LENGTH = 300;
/** One line of a command; a backslash joins the next. */
const GAP = '(?:[^\\n\\0]|\\\\\\r?\\n){0,240}?';

interface Command {
  /** The secret is the last group that took part. */
  readonly form: RegExp;
  /** The group of the user or of the name, if there is one. */
  readonly name?: boolean;
}

const COMMANDS: readonly Command[] = [
  {
    form: new RegExp(
      `^curl${GAP}\\s(?:-u|--user|--proxy-user|-U)[ =]?(?:"([^":\\n$<]{1,64}):([^"\\n]{1,128})"|'([^':\\n$<]{1,64}):([^'\\n]{1,128})'|([^\\s:"'$<]{1,64}):([^\\s"'\`]{1,128}))`,
    ),
  },
  { form: /^sshpass -p ?(?:"([^"\n]{4,128})"|'([^'\n]{4,128})'|([^\s"'\0]{4,128}))/ },
  { form: /^identified by (?:"([^"\n]{4,128})"|'([^'\n]{4,128})')/i },
  { form: /^requirepass (?:"([^"\n]{4,128})"|([^\s"'\0]{4,128}))/ },
  { form: /^PASSWORD <<-?["']?\w{1,30}["']?\r?\n([^\s\0]{4,128})/ },
  { form: /^ENV ([A-Z][A-Z0-9_]{1,63}) (?:"([^"\n]{4,128})"|([^\s"'=\0]{4,128}))/, name: true },
];

/** Of SQL. */
const ACCOUNT = /\b(?:user|role|grant|database|link)\b[^\n\0]*$/i;

/** A password in a command or a line of configuration that has no separator. */
export function passwordInCommand(bytes: Buffer, at: number, match: Match): boolean {
  const letter = bytes[at]! | 32;
  if (
    letter !== 0x63 &&
    letter !== 0x73 &&
    letter !== 0x69 &&
    letter !== 0x72 &&
    letter !== 0x70 &&
    letter !== 0x65
  )
    return rejectMatch(match, 'command');
  const text = textOf(bytes, at, at + LENGTH);
  for (const { form, name } of COMMANDS) {
    const found = form.exec(text);
    if (found === null) continue;
    const value = found.slice(1).findLast((one) => one !== undefined)!;
    if (name === true && !isPasswordName(found[1]!)) return rejectMatch(match, 'name');
    if (/^identified/i.test(found[0]) && !ACCOUNT.test(textOf(bytes, at - 120, at)))
      return rejectMatch(match, 'account');
    if (isPlaceholder(value) || /^[$%]/.test(value)) return rejectMatch(match, 'placeholder');
    if (isPublishedPassword(value)) {
      match.confidence = 0.55;
      match.reasons |= REASON.testValue;
    }
    const start = at + found[0].lastIndexOf(value);
    match.hasLabel(start);
    return acceptMatch(match, start, start + value.length, REASON.structure | REASON.assignment);
  }
  return rejectMatch(match, 'command');
}
