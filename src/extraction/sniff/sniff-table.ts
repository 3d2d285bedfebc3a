/** Detects tables by their content, for files whose name doesn't imply one. Prose and code have commas too, so all lines must match. */
const DELIMITERS = [',', ';', '\t', '|'];
const QUOTE = 0x22;
const LF = 0x0a;
const MIN_ROWS = 5;
const MAX_ROWS = 12;
const MIN_COLUMNS = 3;
/** In any script: a byte above ASCII counts as a letter. */
const NAME = /^[A-Za-z_#\x80-\xff][\w .:/#%&\x80-\xff-]{0,63}(?:\([^()]{1,32}\))?$/;
const SENTENCE = /[.:!?]$|\. /;
const MAX_WORDS = 5;

/** `text`: the beginning of the file, one character per byte; `whole`: nothing follows. null: it is no table, or that is not certain. */
export function tableFormat(text: string, whole: boolean): 'csv' | 'tsv' | null {
  const found = DELIMITERS.find((delimiter) => isTable(text, delimiter, whole));
  if (found === undefined) return null;
  return found === '\t' ? 'tsv' : 'csv';
}

/** Most texts are rejected by their first line. */
function isTable(text: string, delimiter: string, whole: boolean): boolean {
  const [head = []] = rowsOf(text, delimiter, whole, 1);
  if (head.length < MIN_COLUMNS || !isHead(head)) return false;
  const rows = rowsOf(text, delimiter, whole, MAX_ROWS);
  const alike = (row: string[]) => row.length === head.length && !row.some((cell, n) => cell === head[n]);
  return rows.length >= MIN_ROWS && rows.slice(1).every(alike);
}

function isHead(head: readonly string[]): boolean {
  const names = head.map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  // Words after a comma and a blank are those of a sentence, unless they are single ones.
  const spaced = head.slice(1).every((cell) => cell.startsWith(' '));
  const max = spaced ? 1 : MAX_WORDS;
  return (
    names.every((name) => NAME.test(name) && !SENTENCE.test(name) && name.split(' ').length <= max) &&
    new Set(names).size === names.length
  );
}

/** The first rows that are complete, `most` of them. An empty line ends them. */
function rowsOf(text: string, delimiter: string, whole: boolean, max: number): string[][] {
  const rows: string[][] = [];
  const between = delimiter.charCodeAt(0);
  let row: string[] = [];
  let from = 0;
  let quoted = false;
  for (let i = 0; i < text.length && rows.length < max; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE && (quoted || i === from)) quoted = !quoted;
    if (quoted || (code !== between && code !== LF)) continue;
    row.push(text.slice(from, i).trimEnd());
    from = i + 1;
    if (code === between) continue;
    if (row.length === 1 && row[0] === '') return rows;
    rows.push(row);
    row = [];
  }
  if (whole && from < text.length && rows.length < max) rows.push([...row, text.slice(from)]);
  return rows;
}
