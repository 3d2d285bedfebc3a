/** Checks of structure and style over all files of the repository. Each file is read once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = dirname(import.meta.dirname);

/** The layers that each layer of src may import, besides itself: downward only. A file directly in src is a layer of its own. */
const pillars = ['sources', 'extraction', 'detection'];
const below = ['base', 'db', 'engine', 'events', 'workflows', ...pillars, 'governance', 'filter'];
/** Imports that leave src: the optional components. */
const LOADERS = /^components\/\w+\/load\.ts$/;
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
  config: ['base', 'db', 'engine', 'sources', 'governance'],
  app: [...below, 'scans', 'config'],
  cli: [...below, 'scans', 'config', 'app'],
  main: [...below, 'scans', 'config', 'app', 'cli'],
};

const WAITS = 'test/support/wait-for.ts';

interface File {
  readonly path: string;
  readonly text: string;
}

const files = listFiles('.');
const code = files.filter((file) => file.path.endsWith('.ts'));
const source = code.filter((file) => file.path.startsWith('src/'));
const product = source.filter((file) => !isTest(file.path));

describe('the layers of src', () => {
  it('are those listed here', () => {
    expect([...new Set(product.map((file) => layerOf(file.path)))].sort()).toEqual(
      Object.keys(layers).sort(),
    );
  });

  it('import downward only', () => {
    const upward = product.flatMap((file) => {
      const allowed = [layerOf(file.path), ...(layers[layerOf(file.path)] ?? [])];
      return importsOf(file)
        .filter((target) => !(target.startsWith('src/') && allowed.includes(layerOf(target))))
        .filter((target) => !LOADERS.test(target))
        .map((target) => `${file.path} imports ${target}`);
    });
    expect(upward).toEqual([]);
  });

  it('have no import cycle', () => {
    expect(findCycle(new Map(product.map((file) => [file.path, importsOf(file)])))).toEqual([]);
  });
});

describe('files', () => {
  it('do not exceed the maximum length', () => {
    const long = code
      .map((file) => ({ path: file.path, lines: file.text.split('\n').length - 1 }))
      .filter(({ path, lines }) => lines > (isTest(path) ? 500 : 300));
    expect(long).toEqual([]);
  });

  it('are named after what they contain', () => {
    const generic = /^(utils?|commons?|helpers?|types?|misc|managers?)$/;
    const found = code.filter((file) =>
      file.path.split('/').some((part) => generic.test(part.split('.')[0]!)),
    );
    expect(found.map((file) => file.path)).toEqual([]);
  });

  it('write to streams, not to the console', () => {
    expect(product.filter((file) => /\bconsole\.\w+\(/.test(file.text)).map((file) => file.path)).toEqual([]);
  });

  it('contain no absolute paths of the development machine', () => {
    const foreign = new RegExp(`(^|[\\s"'\`(=:])/(${['work', 'root'].join('|')})/\\w`, 'm');
    expect(files.filter((file) => foreign.test(file.text)).map((file) => file.path)).toEqual([]);
  });
});

describe('waits of tests', () => {
  it('have a deadline and report what they waited for (test/support/wait-for.ts)', () => {
    const files = code.filter(({ path }) => isTest(path) && path !== WAITS);
    expect(files.flatMap(unboundedWaitsOf)).toEqual([]);
  });

  it.each([
    ['while (!isDone()) await sleep(5);', 1],
    ['while ((await left()) > 0);', 1],
    ['while (n < 3) {\n  look();\n  await new Promise((resolve) => setTimeout(resolve, 5));\n}', 1],
    ['while (n < 3) await signal.wait(5);', 1],
    ['for (;;) {\n  if (look()) return;\n  await pause(50);\n}', 1],
    ['while (n < 3) await take(n++);', 0],
    ['for (;;) yield bytes;', 0],
    ['for (let n = 0; n < 3; n++) await sleep(5);', 0],
    ['while (performance.now() < end) await sleep(5);', 0],
    ["const text = 'while (await x);';", 0],
  ])('are found in: %s', (text, count) => {
    expect(unboundedWaitsOf({ path: 'a.test.ts', text })).toHaveLength(count);
  });
});

/** Terms that were replaced by those of the field. Irregular plurals are listed. */
const OLD_TERMS = new Set(
  (
    'thief thieves purse watchman watchmen herald switchboard trickle witness crew stretch bell robbed ' +
    'obstacle agenda intake leash knock uttered testimony terrain mood hunt steer'
  ).split(' '),
);
/** Replaced in comments by the process or role that is meant; valid in names and data. */
const VAGUE_TERMS = new Set('whoever somebody nobody'.split(' '));

/** Uses of these words in another sense. */
const OTHER_SENSES: readonly { readonly path: string; readonly word: string; readonly reason: string }[] = [
  { path: 'src/cli/output/terminal-guard.test.ts', word: 'bell', reason: 'the control character BEL' },
  { path: 'src/db/embedded/account.ts', word: 'nobody', reason: 'the Unix account' },
  { path: 'src/detection/checks/bech32.ts', word: 'witness', reason: 'the witness version of BIP-173' },
];

/**
 * Uses that have not been replaced yet, per folder. A number may only be lowered, and a folder that is not listed has none. Strings are not
 * checked: they contain SQL aliases and stored names, which need a migration, and words of detectors and dictionaries.
 */
const REMAINING: Readonly<Record<string, number>> = {
  src: 1,
  'src/engine': 2,
};

describe('vocabulary', () => {
  it('uses the terms of the glossary', () => {
    const hits = code.flatMap((file) =>
      oldTermsOf(file).map((hit) => ({ folder: folderOf(file.path), hit })),
    );
    const above = [...Map.groupBy(hits, ({ folder }) => folder)]
      .filter(([folder, found]) => found.length > (REMAINING[folder] ?? 0))
      .map(([folder, found]) => ({ folder, count: found.length, hits: found.map(({ hit }) => hit) }));
    expect(above).toEqual([]);
  });

  it('lists only exceptions that are in use', () => {
    const unused = OTHER_SENSES.filter(({ path, word }) => {
      const file = code.find((one) => one.path === path);
      return !file || !termsIn(file).some((term) => term.word === word);
    });
    expect(unused).toEqual([]);
  });

  it('is checked in identifiers and comments, but not in strings', () => {
    const terms = (text: string) => termsIn({ path: 'a.ts', text }).map(({ word }) => word);
    expect(terms('const idleThief = pick(thieves); // whoever is idle')).toEqual([
      'thief',
      'thieves',
      'whoever',
    ]);
    expect(terms("/* Bells */ const label = 'bell' + `stretch`; const nobody = 1;")).toEqual(['bell']);
  });
});

describe('what must be complete', () => {
  it('registers every file with detectors in the catalogue', () => {
    const folder = 'src/detection/detectors/';
    const list = `${folder}all.ts`;
    const registered = importsOf(product.find((file) => file.path === list)!).sort();
    const stored = product
      .map((file) => file.path)
      .filter((path) => path.startsWith(folder) && path !== list);
    expect(stored.length).toBeGreaterThan(0);
    expect(registered).toEqual(stored.sort());
  });

  it('has detectors only in the folder of the catalogue, where each file exports nothing else', () => {
    const folder = 'src/detection/detectors/';
    const exportsOf = (file: File) => [...file.text.matchAll(/^export .*/gm)].map(([line]) => line);
    const isDetector = (line: string) => /^export const \w+: (?:readonly )?Detector\b(?:\[\])? =/.test(line);
    const lists = [`${folder}all.ts`, 'src/detection/catalogue.ts'];
    const wrong = product.filter((file) => {
      if (lists.includes(file.path)) return false;
      if (!file.path.startsWith(folder)) return exportsOf(file).some(isDetector);
      return exportsOf(file).length !== 1 || !isDetector(exportsOf(file)[0]!);
    });
    expect(wrong.map((file) => file.path)).toEqual([]);
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

describe('the documentation', () => {
  const pages = files.filter((file) => file.path.endsWith('.md'));

  it('links to files that exist', () => {
    const broken = pages.flatMap((page) =>
      linksOf(page)
        .filter((target) => !existsSync(join(root, dirname(page.path), target)))
        .map((target) => `${page.path}: ${target}`),
    );
    expect(broken).toEqual([]);
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(0);
  });

  it('names files that exist in its diagrams', () => {
    const unknown = pages.flatMap((page) =>
      diagramPathsOf(page).filter((path) => !files.some((file) => file.path.endsWith(`/${path}`))),
    );
    expect(unknown).toEqual([]);
    expect(pages.flatMap(diagramPathsOf).length).toBeGreaterThan(0);
  });
});

/** Relative targets of Markdown links, without their anchors. */
function linksOf({ text }: File): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!.split('#')[0]!);
  return targets.filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}

/** Paths in Mermaid diagrams, such as `detect/pool.ts`. */
function diagramPathsOf({ text }: File): string[] {
  const diagrams = [...text.matchAll(/^```mermaid$([\s\S]*?)^```$/gm)].map(([diagram]) => diagram);
  return diagrams.flatMap((diagram) => diagram.match(/[\w/-]+\.ts\b/g) ?? []);
}

describe('findCycle', () => {
  it('returns a cycle without the nodes that only lead to it, and an empty list if there is none', () => {
    const graph = { a: ['b'], b: ['c', 'd'], c: [], d: ['e'], e: ['b'] };
    expect(findCycle(new Map(Object.entries(graph)))).toEqual(['b', 'd', 'e', 'b']);
    expect(findCycle(new Map(Object.entries({ ...graph, e: ['c'] })))).toEqual([]);
  });
});

/** All text files of the repository except dependencies, generated files and logs. */
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

/** Loops without an upper limit whose condition is asynchronous or that pause in between. */
function unboundedWaitsOf({ path, text }: File): string[] {
  const pauses = /\bawait (?:(?:sleep|pause)\(|new Promise\b|\w+(?:\(\))?\.wait\()/;
  return [...text.matchAll(/(?<!['"`])\b(?:while|for) \(/g)].flatMap(({ 0: keyword, index }) => {
    const start = index + keyword.length - 1;
    const head = text.slice(start, closing(text, start) + 1);
    if (keyword.startsWith('for') && head !== '(;;)') return [];
    if (/\bperformance\.now\(\)|\bsignal\.aborted\b/.test(head)) return []; // has a deadline, or is a load that a test ends
    const rest = text.slice(start + head.length);
    const body = rest.startsWith(' {')
      ? rest.slice(0, closing(rest, 1))
      : rest.slice(0, rest.indexOf(';') + 1);
    const isWait = /\bawait\b/.test(head) || pauses.test(body);
    return isWait ? [`${path}:${text.slice(0, index).split('\n').length}`] : [];
  });
}

/** The position of the bracket that closes the one at `start`. Brackets in strings count too, which is good enough here. */
function closing(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if ('({'.includes(text[at]!)) depth++;
    else if (')}'.includes(text[at]!) && --depth === 0) return at;
  }
  return text.length;
}

interface Term {
  readonly word: string;
  readonly line: number;
}

function oldTermsOf(file: File): string[] {
  return termsIn(file)
    .filter(({ word }) => !OTHER_SENSES.some((one) => one.path === file.path && one.word === word))
    .map(({ word, line }) => `${file.path}:${line} ${word}`);
}

/** Replaced terms in the identifiers and comments of a file, as singular. Good enough without a parser: a quote in a regular expression may hide a line. */
function termsIn({ text }: File): Term[] {
  const tokens =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|[A-Za-z_$][\w$]*/g;
  return [...text.matchAll(tokens)].flatMap(({ 0: token, index }) => {
    if (/^['"`]/.test(token)) return [];
    const isComment = token.startsWith('/');
    return [...token.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)].flatMap((part) => {
      const word = singular(part[0].toLowerCase());
      if (!OLD_TERMS.has(word) && !(isComment && VAGUE_TERMS.has(word))) return [];
      return { word, line: text.slice(0, index + part.index).split('\n').length };
    });
  });
}

/** Removes the regular plural ending, unless the word itself is a term that ends in s. */
function singular(word: string): string {
  return OLD_TERMS.has(word) ? word : word.replace(/(?<=ss|ch)es$|s$/, '');
}

/** `src/detection` for its files at any depth; `bench` for files directly in it. */
function folderOf(path: string): string {
  const parts = path.split('/');
  return parts.slice(0, Math.max(1, Math.min(2, parts.length - 1))).join('/');
}

function isTest(path: string): boolean {
  return /\.(test|fixture)\.ts$/.test(path) || path.startsWith('test/');
}

/** `src/db/pool.ts` is in `db`, `src/app.ts` in `app`. */
function layerOf(path: string): string {
  return path.split('/')[1]!.split('.')[0]!;
}

/** The files of the repository that a file imports, type imports included, as paths from the root. */
function importsOf(file: File): string[] {
  const imports = /(?:\bfrom |^import |\bimport\(\s*)'(\.{1,2}\/[^']+\.ts)'/gm;
  return [...file.text.matchAll(imports)].flatMap(([, target]) => {
    const path = relative(root, resolve(root, dirname(file.path), target!));
    return existsSync(join(root, path)) ? [path] : [];
  });
}

/** Depth-first search. Returns the first cycle found, with its first node repeated at the end. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  function visit(node: string): string[] {
    const start = path.indexOf(node);
    if (start >= 0) return [...path.slice(start), node];
    if (done.has(node)) return [];
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle.length > 0) return cycle;
    }
    path.pop();
    done.add(node);
    return [];
  }
  for (const node of graph.keys()) {
    const cycle = visit(node);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
