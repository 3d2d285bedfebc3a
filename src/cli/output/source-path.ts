import { fileURLToPath } from 'node:url';

/** The local path of a source (`fs:/data`, `file:///data`, a path); null if it is remote. */
export function localPath(source: string): string | null {
  if (source.startsWith('file://')) return URL.canParse(source) ? fileURLToPath(source) : null;
  if (source.startsWith('fs:')) return source.slice('fs:'.length);
  return /^[a-z][a-z0-9+.-]+:/i.test(source) ? null : source;
}
