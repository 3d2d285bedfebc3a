const CONTROLS = /[^\P{Cc}\t\n\r]+/gu;

/** "name: value", or nothing where there is no value. */
export function* propertyLine(name: string, value: string): Generator<string> {
  const text = value.replace(CONTROLS, ' ').trim();
  if (text !== '') yield `${name}: ${text}`;
}
