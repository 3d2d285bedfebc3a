/** A key, and behind it the beginning of a value that is neither empty nor another record. */
const KEY = /"((?:[^"\\]|\\.){1,64})"\s{0,8}:\s{0,8}(?:\[\s{0,8})?(?="[^"]|[-\dtf])/g;

/** Each value with a key that stands in the bytes, by the last step of its path. */
export function countKeys(bytes: Buffer, add: (name: string) => void): void {
  for (const [, key] of bytes.toString('utf8').matchAll(KEY)) add(lastKey(key!));
}

/** Records are found by their keys: how far outside they begin is not always seen, so the path before the last key is not told. */
export function lastKey(path: string): string {
  const end = path.replace(/(?:\[\])+$/, '');
  return end.slice(end.lastIndexOf('.') + 1);
}
