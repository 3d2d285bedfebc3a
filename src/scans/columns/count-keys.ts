/** A key followed by the start of a value that is neither empty nor another record. */
const KEY = /"((?:[^"\\]|\\.){1,64})"\s{0,8}:\s{0,8}(?:\[\s{0,8})?(?="[^"]|[-\dtf])/g;

/** Counts each value with a key in the bytes, by the last step of its path. */
export function countKeys(bytes: Buffer, add: (name: string) => void): void {
  for (const [, key] of bytes.toString('utf8').matchAll(KEY)) add(lastKey(key!));
}

/** Only the last step of the path is used: the window may not contain the start of the enclosing records. */
export function lastKey(path: string): string {
  const end = path.replace(/(?:\[\])+$/, '');
  return end.slice(end.lastIndexOf('.') + 1);
}
