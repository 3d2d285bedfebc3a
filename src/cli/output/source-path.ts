import { fileURLToPath } from 'node:url';

/** The folder or file that a source is on this machine (`fs:/data`, `file:///data`, a path); null: it is elsewhere. */
export function localPath(source: string): string | null {
  if (source.startsWith('file://')) return URL.canParse(source) ? fileURLToPath(source) : null;
  if (source.startsWith('fs:')) return source.slice('fs:'.length);
  return /^[a-z][a-z0-9+.-]+:/i.test(source) ? null : source;
}
