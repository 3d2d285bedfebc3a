/**
 * Text that came out of the data (column names, parts, reasons, masked values) as one harmless line: control
 * characters could move the cursor or clear the screen, and direction marks could turn a name around. Keys have
 * their own form, `displayKey`, which can also be read back.
 */
export function visible(text: string): string {
  return text.replace(HARMFUL, (c) => {
    const code = c.codePointAt(0)!;
    return code > 0xff ? `\\u${code.toString(16)}` : `\\x${code.toString(16).padStart(2, '0')}`;
  });
}

const HARMFUL = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The same for several lines. The others are indented, so that no line of a quoted text can pose as a message of its own. */
export function visibleLines(text: string): string {
  const [first, ...others] = text.split(/\r?\n/).map(visible);
  return [first, ...others.map((line) => (line.startsWith('  ') ? line : `  ${line}`))].join('\n');
}

/** The sequences that `paint` (look.ts) writes. */
const COLORS = `\u001b\\[(?:1|7|22|27|31|33|36|39|90)m`;
const HARMFUL_OR_COLOR = new RegExp(`${COLORS}|${HARMFUL.source}`, 'gu');

/** What a terminal is sent: lines, tabs and our colours. Escaped so that JSON stays JSON. */
export function terminalText(text: string): string {
  return text.replace(HARMFUL_OR_COLOR, (found) => {
    if (found.length > 2 || found === '\n' || found === '\t') return found;
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
