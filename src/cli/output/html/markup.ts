/**
 * Injection-safe HTML: text becomes markup only through this tag, which escapes every value that is not a `Markup`. Values may only
 * be placed between tags or in quoted attributes.
 */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Markup | readonly Markup[];

export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(strings.reduce((text, part, i) => text + asMarkup(values[i - 1]!) + part));
}

export const NOTHING = new Markup('');

function asMarkup(value: Value): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeHtml(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (c) => ENTITIES[c]!);
}
