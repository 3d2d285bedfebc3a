import { LimitExceeded } from '../../extraction-error.ts';
import { wholeName } from '../../whole-name.ts';

/** Far more than any program lets a cell hold. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** Appends to a cell's value, with a limit: a hostile value may be endless. */
export function longer(value: string, more: string): string {
  if (value.length + more.length > MAX_LENGTH) throw new LimitExceeded('length of a cell');
  return value + more;
}

/** Decodes `_x000D_`, the escape of characters that XML can't contain. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** A sheet's name as a location on one line. */
export function sheetLocation(name: string | null): string {
  const shown = wholeName(name ?? '').replace(/\p{Cc}+/gu, ' ');
  return shown === '' ? 'sheet' : shown;
}
