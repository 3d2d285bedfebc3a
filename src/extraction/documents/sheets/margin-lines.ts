/**
 * The codes in page headers and footers: a section (left, centre, right), an escaped ampersand, formatting (fonts, sizes, colours), and
 * fields (page numbers, dates, names of the file and the sheet). A size has three digits at most; the text directly follows a code.
 */
const CODES =
  /&(?:([LCR])|(&)|(?:"[^"]*"|\d{1,3}|K(?:[\dA-Fa-f]{6}|\d\d[+-]\d{3})|[BIUESXYOH])|([PNDTAFZG]))/g;

/** The lines above or below each printed page, of the text that a sheet has for them; each section is one of its own. */
export function marginLines(text: string): readonly string[] {
  const plain = text.replace(CODES, (_, section?: string, sign?: string, put?: string) => {
    if (section !== undefined) return '\n';
    // A field separates its neighbours: digits around it are not one number.
    return sign ?? (put === undefined ? '' : ' ');
  });
  return plain
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
