/** The folders that the noise benchmark scans, and copies of their text files. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Documentation and code are judged separately: prose has names and addresses, code mostly has neither. */
export type TreeKind = 'code' | 'docs' | 'folder';

interface Tree {
  readonly name: string;
  readonly kind: TreeKind;
  readonly root: string;
  /** Tested on the path below `root`. */
  readonly only?: RegExp;
  readonly except?: RegExp;
}

export interface CopiedFile {
  /** Below the folder of the copies: kind, name of the tree, path in the tree. */
  readonly path: string;
  readonly bytes: number;
}

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const DOCUMENTATION = /^(?:doc|man|info|help|gtk-doc)\//;
const PYTHON = /^python3/;

const TREES: readonly Tree[] = [
  { name: 'node_modules', kind: 'code', root: join(REPOSITORY, 'node_modules') },
  { name: 'include', kind: 'code', root: '/usr/include' },
  { name: 'python', kind: 'code', root: '/usr/lib', only: PYTHON },
  { name: 'share', kind: 'code', root: '/usr/share', except: DOCUMENTATION },
  { name: 'lib', kind: 'code', root: '/usr/lib', except: PYTHON },
  { name: 'documentation', kind: 'docs', root: '/usr/share', only: DOCUMENTATION },
];

/** Of each tree, so that a machine with much software takes no longer than one with little. */
const MAX_TREE_BYTES = 80e6;
const MAX_FILE_BYTES = 4e6;
const HEAD = 8192;
/** Formats that are not text, whatever their first bytes look like. */
const BINARY =
  /\.(?:a|bc|bin|bz2|class|dat|db|exe|gif|gmo|ico|jar|jpe?g|mo|node|o|pdf|png|pyc|so|svgz|tar|tgz|ttf|wasm|whl|woff2?|xz|zip|zst)$/;

export function treesOf(folders: readonly string[]): readonly Tree[] {
  const given = folders.map((root) => ({ name: basename(root), kind: 'folder' as const, root }));
  return [...TREES, ...given];
}

/**
 * Copies the text files of a tree. If it is larger than the limit, the files are chosen by the hash of their path: a
 * random sample that is the same each time. Equal files are copied once. Compressed text is copied uncompressed, so
 * that positions of findings are positions in the file.
 */
export function copyTree(tree: Tree, into: string, scale: number, seen: Set<string>): CopiedFile[] {
  const paths = textPathsOf(tree).sort((a, b) => compare(hashOf(a), hashOf(b)));
  const copies: CopiedFile[] = [];
  let bytes = 0;
  for (const path of paths) {
    if (bytes >= MAX_TREE_BYTES * scale) break;
    const content = textOf(join(tree.root, path));
    if (content === null) continue;
    const hash = hashOf(content);
    if (seen.has(hash)) continue;
    seen.add(hash);
    const copy = join(tree.kind, tree.name, path.replace(/\.gz$/, ''));
    mkdirSync(dirname(join(into, copy)), { recursive: true });
    writeFileSync(join(into, copy), content);
    copies.push({ path: copy, bytes: content.length });
    bytes += content.length;
  }
  return copies;
}

function textPathsOf({ root, only, except }: Tree): string[] {
  const paths: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(join(root, folder))) {
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) folders.push(`${path}/`);
      else if (entry.isFile() && !BINARY.test(path) && (only?.test(path) ?? true) && !except?.test(path))
        paths.push(path);
    }
  }
  return paths;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not readable for this user, or not there
  }
}

function textOf(path: string): Buffer | null {
  try {
    if (statSync(path).size > MAX_FILE_BYTES) return null;
    const bytes = readFileSync(path);
    const text = path.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: MAX_FILE_BYTES }) : bytes;
    return text.length === 0 || text.subarray(0, HEAD).includes(0) ? null : text;
  } catch {
    return null; // not readable, or larger than the limit once it is uncompressed
  }
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
