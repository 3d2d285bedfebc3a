/** Words, names and signs of SQL, as far as is needed to find the columns of a table. */
export interface Token {
  readonly text: string;
  /** It was quoted, so it is not a keyword. */
  readonly quoted: boolean;
}

const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '[': ']' };
const WORD = /[\p{L}\p{N}_$]+/uy;

export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length; ) {
    const char = sql[at]!;
    const closing = CLOSING[char];
    if (/\s/.test(char)) at++;
    else if (sql.startsWith('--', at)) at = after(sql, '\n', at);
    else if (sql.startsWith('/*', at)) at = after(sql, '*/', at + 2);
    else if (closing !== undefined) at = quoted(sql, at, closing, tokens);
    else {
      WORD.lastIndex = at;
      const text = WORD.exec(sql)?.[0] ?? char;
      tokens.push({ text, quoted: false });
      at += text.length;
    }
  }
  return tokens;
}

function after(sql: string, mark: string, from: number): number {
  const at = sql.indexOf(mark, from);
  return at === -1 ? sql.length : at + mark.length;
}

/** A doubled closing quote is an escaped one; brackets have no escape. */
function quoted(sql: string, start: number, closing: string, tokens: Token[]): number {
  let text = '';
  for (let at = start + 1; ; ) {
    const end = sql.indexOf(closing, at);
    if (end === -1) {
      tokens.push({ text: text + sql.slice(at), quoted: true });
      return sql.length;
    }
    text += sql.slice(at, end);
    if (closing === ']' || sql[end + 1] !== closing) {
      tokens.push({ text, quoted: true });
      return end + 1;
    }
    text += closing;
    at = end + 2;
  }
}
