/**
 * Escapes text from scanned data (column names, parts, reasons, masked values) to one harmless line: control characters could move the
 * cursor or clear the screen, and direction marks could reverse a name. Keys have their own reversible form, `displayKey`.
 */
export function visible(text: string): string {
  return text.replace(HARMFUL, (c) => {
    const code = c.codePointAt(0)!;
    return code > 0xff ? `\\u${code.toString(16)}` : `\\x${code.toString(16).padStart(2, '0')}`;
  });
}

const HARMFUL = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The same for several lines. Lines after the first are indented, so that quoted text cannot pose as a message of Seine. */
export function visibleLines(text: string): string {
  const [first, ...others] = text.split(/\r?\n/).map(visible);
  return [first, ...others.map((line) => (line.startsWith('  ') ? line : `  ${line}`))].join('\n');
}

/** The sequences that `paint` (terminal-style.ts) writes. */
const COLORS = `\u001b\\[(?:1|7|22|27|31|33|36|39|90)m`;
const HARMFUL_OR_COLOR = new RegExp(`${COLORS}|${HARMFUL.source}`, 'gu');

/** Escapes everything but line breaks, tabs and the colours of `paint`. The escape is valid within JSON strings. */
export function terminalText(text: string): string {
  return text.replace(HARMFUL_OR_COLOR, (found) => {
    if (found.length > 2 || found === '\n' || found === '\t') return found;
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
