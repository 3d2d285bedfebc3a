/**
 * What the codes in the head or foot of a page stand for: a section (left, centre, right), the sign itself, looks
 * (fonts, sizes, colours), and what the program puts in (numbers of pages, dates, names of the file and the sheet).
 * A size has three digits at most; what follows a code is text, with nothing between.
 */
const CODES =
  /&(?:([LCR])|(&)|(?:"[^"]*"|\d{1,3}|K(?:[\dA-Fa-f]{6}|\d\d[+-]\d{3})|[BIUESXYOH])|([PNDTAFZG]))/g;

/** The lines above or below each printed page, of the text that a sheet has for them; each section is one of its own. */
export function marginLines(text: string): readonly string[] {
  const plain = text.replace(CODES, (_, section?: string, sign?: string, put?: string) => {
    if (section !== undefined) return '\n';
    // What is put in stands between what is around it: digits there are no one number.
    return sign ?? (put === undefined ? '' : ' ');
  });
  return plain
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
