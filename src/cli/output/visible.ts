/**
 * Text that came out of the data (column names, parts, reasons, masked values) as one harmless line: control
 * characters could move the cursor or clear the screen, and direction marks could turn a name around. Keys have
 * their own form, `displayKey`, which can also be read back.
 */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (c) => {
    const code = c.codePointAt(0)!;
    return code > 0xff ? `\\u${code.toString(16)}` : `\\x${code.toString(16).padStart(2, '0')}`;
  });
}
