/** A comment with its author. Programs often begin it with the name themselves: then it is not told twice. */
export function attributeText(author: string, text: string): string {
  if (author === '' || text.startsWith(`${author}:`)) return text;
  return text.trim() === '' ? author : `${author}: ${text}`;
}
