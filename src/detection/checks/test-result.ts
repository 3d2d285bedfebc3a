import { textOf } from '../bytes.ts';

const LINE = 200;
const RESULT = '(?:X?PASS|[XK]?FAIL|SKIP|ERROR|UN(?:TESTED|SUPPORTED|RESOLVED)): ';
const GOES_ON = /^ +\S/;
const BEFORE = new RegExp(`[\\n\\0]${RESULT}[^\\n]*\\n$`);
const AFTER = new RegExp(`^[^\\n]*\\n${RESULT}`);

/** "PASS: addr2line -f option": a line of a test run, recognised by what follows the first word, or by adjacent lines. */
export function isTestResult(bytes: Buffer, name: string, colon: number, valueEnd: number): boolean {
  if (name !== 'PASS' && name !== 'XPASS') return false;
  const start = colon - name.length;
  const after = textOf(bytes, valueEnd, valueEnd + LINE);
  return GOES_ON.test(after) || AFTER.test(after) || BEFORE.test(textOf(bytes, start - LINE, start));
}
