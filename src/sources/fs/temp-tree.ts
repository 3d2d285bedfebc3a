import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../../base/errors.ts';
import { type Key, keyBytes, keyOf } from '../../base/key.ts';

/** A folder for one test, deleted at its end: `using tree = tempTree({ 'a/b.txt': 'text' })`. */
export interface TempTree extends Disposable {
  readonly root: string;
  /** The path of a key in it. */
  at(key: Key | string): Buffer;
  write(key: Key, content: Uint8Array | string): void;
}

export function tempTree(files: Readonly<Record<string, string>> = {}): TempTree {
  const root = mkdtempSync(join(tmpdir(), 'seine-fs-'));
  const at = (key: Key | string) => Buffer.concat([Buffer.from(`${root}/`), keyBytes(key as Key)]);
  const tree: TempTree = {
    root,
    at,
    write(key, content) {
      const slash = key.lastIndexOf('/');
      if (slash > 0) mkdirSync(at(key.slice(0, slash)), { recursive: true });
      writeFileSync(at(key), content);
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
  for (const [name, content] of Object.entries(files)) {
    if (name.endsWith('/')) mkdirSync(at(keyOf(name.slice(0, -1))), { recursive: true });
    else tree.write(keyOf(name), content);
  }
  return tree;
}

/** Returns whether the folder tree can contain it next to the others: `p` and `p/q` can't both be files. */
export function writeIfPossible(tree: TempTree, key: Key, content: Uint8Array): boolean {
  if (key.endsWith('/')) return false;
  try {
    tree.write(key, content);
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOTDIR', 'EISDIR'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}

/** The clock of a file system may have a low resolution: what is written after this has another date than what was written before. */
export function waitForClockTick(): void {
  using tree = tempTree();
  const now = () => {
    tree.write(keyOf('clock'), '');
    return statSync(tree.at('clock'), { bigint: true }).ctimeNs;
  };
  const before = now();
  while (now() === before);
}

/** Root may read everything, so tests of permissions run as another user. */
export async function asUnprivilegedUser<T>(run: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid?.(65534);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
  }
}
