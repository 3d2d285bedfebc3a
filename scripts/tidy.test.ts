/** Style as a test: what a reviewer would have to look for again and again. Every file is read once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = dirname(import.meta.dirname);

/** Who may import whom in src, besides itself: downward only. A file directly in src is a layer of its own. */
const pillars = ['sources', 'extraction', 'detection'];
const below = ['base', 'db', 'engine', 'events', 'workflows', ...pillars, 'governance', 'filter'];
const layers: Readonly<Record<string, readonly string[]>> = {
  base: [],
  db: ['base'],
  engine: ['base', 'db'],
  events: ['base', 'db'],
  workflows: ['base', 'db', 'engine', 'events'],
  sources: ['base'],
  extraction: ['base'],
  detection: ['base'],
  governance: ['base', 'extraction', 'detection'],
  filter: ['base', 'governance'],
  scans: below,
  orchestration: [...below, 'scans'],
  api: [...below, 'scans', 'orchestration'],
  config: ['base', 'db', 'engine', 'sources', 'governance'],
  app: [...below, 'scans', 'orchestration', 'api', 'config'],
  cli: [...below, 'scans', 'orchestration', 'api', 'config', 'app'],
  main: [...below, 'scans', 'orchestration', 'api', 'config', 'app', 'cli'],
};

interface File {
  readonly path: string;
  readonly text: string;
}

const files = listFiles('.');
const code = files.filter((file) => file.path.endsWith('.ts'));
const source = code.filter((file) => file.path.startsWith('src/'));
const product = source.filter((file) => !isTest(file.path));

describe('the layers of src', () => {
  it('are all known here', () => {
    const unknown = new Set(product.map((file) => layerOf(file.path)).filter((layer) => !(layer in layers)));
    expect([...unknown]).toEqual([]);
  });

  it('import downward only', () => {
    const upward = product.flatMap((file) => {
      const allowed = [layerOf(file.path), ...(layers[layerOf(file.path)] ?? [])];
      return importsOf(file)
        .filter((target) => !target.startsWith('src/') || !allowed.includes(layerOf(target)))
        .map((target) => `${file.path} imports ${target}`);
    });
    expect(upward).toEqual([]);
  });

  it('have no circle of imports', () => {
    expect(findCycle(new Map(product.map((file) => [file.path, importsOf(file)])))).toEqual([]);
  });
});

describe('files', () => {
  it('are short enough to read at once', () => {
    const long = code
      .map((file) => ({ path: file.path, lines: file.text.split('\n').length - 1 }))
      .filter(({ path, lines }) => lines > (isTest(path) ? 500 : 300));
    expect(long).toEqual([]);
  });

  it('are named after what they hold, not after a drawer', () => {
    const drawers = /^(utils?|commons?|helpers?|types?|misc|managers?)$/;
    const found = code.filter((file) =>
      file.path.split('/').some((part) => drawers.test(part.split('.')[0]!)),
    );
    expect(found.map((file) => file.path)).toEqual([]);
  });

  it('write to streams on purpose, never to the console', () => {
    expect(product.filter((file) => /\bconsole\.\w+\(/.test(file.text)).map((file) => file.path)).toEqual([]);
  });

  it('know nothing of the machine they were written on', () => {
    const foreign = new RegExp(`(^|[\\s"'\`(=:])/(${['work', 'root'].join('|')})/\\w`, 'm');
    expect(files.filter((file) => foreign.test(file.text)).map((file) => file.path)).toEqual([]);
  });
});

describe('what must be complete', () => {
  it('has every detector in the catalogue', () => {
    const folder = 'src/detection/detectors';
    const catalogue = product.find((file) => file.path === `${folder}/catalogue.ts`)!;
    const forgotten = product
      .filter((file) => dirname(file.path) === folder && /^export const \w+: Detector\b/m.test(file.text))
      .filter((file) => !importsOf(catalogue).includes(file.path));
    expect(forgotten.map((file) => file.path)).toEqual([]);
  });

  it('numbers the migrations from 1 without a gap', () => {
    const names = files.map((file) => file.path).filter((path) => path.startsWith('src/db/migrations/'));
    const numbers = names
      .map((path) => Number(/^(\d{4})_[a-z0-9_-]+\.sql$/.exec(basename(path))?.[1]))
      .sort((a, b) => a - b);
    expect(numbers).toEqual(names.map((_, index) => index + 1));
    expect(numbers.length).toBeGreaterThan(0);
  });
});

describe('the search for circles', () => {
  it('finds one, whatever hangs on it, and none where there is none', () => {
    const graph = { a: ['b'], b: ['c', 'd'], c: [], d: ['e'], e: ['b'] };
    expect(findCycle(new Map(Object.entries(graph)))).toEqual(['b', 'd', 'e', 'b']);
    expect(findCycle(new Map(Object.entries({ ...graph, e: ['c'] })))).toEqual([]);
  });
});

/** Everything that is written by hand, as far as it is text. */
function listFiles(folder: string): File[] {
  const skipped =
    /^(node_modules|\.git|\.bench|coverage|tmp|\.install\.lock|package-lock\.json)$|^examples\/data$|\.log$/;
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (skipped.test(path) || entry.name === 'node_modules') return [];
    if (entry.isDirectory()) return listFiles(path);
    const text = entry.isFile() ? readFileSync(join(root, path), 'utf8') : '\0';
    return text.includes('\0') ? [] : [{ path, text }];
  });
}

function isTest(path: string): boolean {
  return /\.(test|fixture)\.ts$/.test(path) || path.startsWith('test/');
}

/** `src/db/pool.ts` is in `db`, `src/app.ts` in `app`. */
function layerOf(path: string): string {
  return path.split('/')[1]!.split('.')[0]!;
}

/** The files of ours that a file imports, types included, as paths from the root. */
function importsOf(file: File): string[] {
  const imports = /(?:\bfrom |^import |\bimport\(\s*)'(\.{1,2}\/[^']+\.ts)'/gm;
  return [...file.text.matchAll(imports)].flatMap(([, target]) => {
    const path = relative(root, resolve(root, dirname(file.path), target!));
    return existsSync(join(root, path)) ? [path] : [];
  });
}

/** Depth first; the files of the first circle met, from where it starts to where it closes. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const way: string[] = [];
  function visit(node: string): string[] {
    const met = way.indexOf(node);
    if (met >= 0) return [...way.slice(met), node];
    if (done.has(node)) return [];
    way.push(node);
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next);
      if (circle.length > 0) return circle;
    }
    way.pop();
    done.add(node);
    return [];
  }
  for (const node of graph.keys()) {
    const circle = visit(node);
    if (circle.length > 0) return circle;
  }
  return [];
}
