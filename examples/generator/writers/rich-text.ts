/** Rich text as WordPad writes it: what is not ASCII is escaped, and a cut of the line may stand anywhere. */
export interface RichText {
  readonly author: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly table: readonly (readonly string[])[];
  /** Text that is there and not shown. */
  readonly hidden: string;
}

export function richText({ author, title, paragraphs, table, hidden }: RichText): Buffer {
  const rows = table.map((cells) => {
    const edges = cells.map((_, n) => `\\cellx${(n + 1) * 2880}`).join('');
    return `\\trowd\\trgaph108${edges}\\intbl ${cells.map((cell) => `${escaped(cell)}\\cell `).join('')}\\row\r\n`;
  });
  const body = paragraphs.map((text) => `${bold(escaped(text))}\\par\r\n`).join('');
  return Buffer.from(
    `{\\rtf1\\ansi\\ansicpg1252\\deff0\\nouicompat\\deflang1033{\\fonttbl{\\f0\\fnil\\fcharset0 Calibri;}}\r\n` +
      `{\\colortbl ;\\red0\\green0\\blue255;}\r\n{\\info{\\author ${escaped(author)}}{\\title ${escaped(title)}}{\\creatim\\yr2024\\mo3\\dy5\\hr9\\min12}}\r\n` +
      `{\\*\\generator Riched20 10.0.19041}\\viewkind4\\uc1\\pard\\sa200\\sl276\\slmult1\\f0\\fs22 ${body}` +
      `${rows.join('')}\\pard{\\v ${escaped(hidden)}}\\par\r\n}\r\n`,
    'latin1',
  );
}

/** The third group of a long number is bold, so that formatting splits the number. */
function bold(text: string): string {
  return text.replace(/(\d{4} \d{4} )(\d{4})( \d{4})/g, '$1{\\b $2}$3');
}

function escaped(text: string): string {
  return text
    .replace(/[\\{}]/g, '\\$&')
    .replace(/[\u0080-\u00ff]/g, (char) => `\\'${char.charCodeAt(0).toString(16)}`)
    .replace(/[\u0100-\uffff]/g, (char) => `\\u${char.charCodeAt(0)}?`);
}
