/** A comment with its author. Programs often begin the text with the name, which is then not repeated. */
export function attributeText(author: string, text: string): string {
  if (author === '' || text.startsWith(`${author}:`)) return text;
  return text.trim() === '' ? author : `${author}: ${text}`;
}
