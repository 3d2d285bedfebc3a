/** PostgreSQL's text holds every character but one, and a name or a finding may hold that one: it is shown as its picture. */
export function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\u2400') : text;
}

/** The same for JSON, in which that character is spelled out. */
export function storableJson(value: object): string {
  return JSON.stringify(value).replaceAll('\\u0000', '\\u2400');
}
