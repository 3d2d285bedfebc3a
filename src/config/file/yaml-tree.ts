/** A YAML file as a plain tree in which every key and value knows its line and column. */
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { Position, Problem } from '../problem.ts';
import { syntaxProblems } from './yaml-syntax.ts';

export type Tree = TreeMap | TreeList | TreeScalar;

export interface TreeMap {
  readonly kind: 'map';
  readonly at: Position;
  readonly entries: readonly { readonly key: string; readonly keyAt: Position; readonly value: Tree }[];
}

interface TreeList {
  readonly kind: 'list';
  readonly at: Position;
  readonly items: readonly Tree[];
}

export interface TreeScalar {
  readonly kind: 'scalar';
  readonly at: Position;
  readonly value: string | number | boolean | null;
}

interface ParsedYaml {
  /** Null if the file is empty, or not YAML; then there are problems. */
  readonly tree: Tree | null;
  readonly problems: readonly Problem[];
}

export function parseYaml(text: string): ParsedYaml {
  // Imported lazily: loading it takes longer than a short command takes to run.
  const yaml: typeof Yaml = createRequire(import.meta.url)('yaml');
  const lines = new yaml.LineCounter();
  const source = text.replace(/^\uFEFF/, '');
  const document = yaml.parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const problems = syntaxProblems(document, source, (offset) => positionIn(lines, offset));
  if (document.contents === null || problems.length > 0) return { tree: null, problems };
  try {
    return { tree: new TreeBuilder(yaml, document, lines).build(document.contents, TOP, 0), problems };
  } catch (error) {
    if (error instanceof YamlTreeError) return { tree: null, problems: [error.problem] };
    throw error;
  }
}

const TOP: Position = { line: 1, column: 1 };
/** Stops a file whose nested aliases expand to a huge tree ("billion laughs"). */
const MAX_NODES = 50_000;
const MAX_DEPTH = 20;

class TreeBuilder {
  readonly #yaml: typeof Yaml;
  readonly #document: Yaml.Document;
  readonly #lines: Yaml.LineCounter;
  #nodes = 0;

  constructor(yaml: typeof Yaml, document: Yaml.Document, lines: Yaml.LineCounter) {
    this.#yaml = yaml;
    this.#document = document;
    this.#lines = lines;
  }

  /** The content of an alias gets the position of the alias. */
  build(node: unknown, parentAt: Position, depth: number): Tree {
    const { isMap, isNode, isScalar, isSeq } = this.#yaml;
    const at = isNode(node) && node.range ? positionIn(this.#lines, node.range[0]) : parentAt;
    if (++this.#nodes > MAX_NODES || depth > MAX_DEPTH) {
      throw new YamlTreeError(
        at,
        'the file is too large or too deeply nested',
        'check whether an alias contains itself',
      );
    }
    const meant = this.#resolve(node, at);
    if (isMap(meant)) {
      const entries = meant.items.map(({ key, value }) => this.#entry(key, value, at, depth + 1));
      return { kind: 'map', at, entries };
    }
    if (isSeq(meant)) {
      return { kind: 'list', at, items: meant.items.map((item) => this.build(item, at, depth + 1)) };
    }
    return { kind: 'scalar', at, value: scalarOf(isScalar(meant) ? meant.value : null) };
  }

  #entry(key: unknown, value: unknown, mapAt: Position, depth: number): TreeMap['entries'][number] {
    const name = this.build(key, mapAt, depth);
    if (name.kind !== 'scalar')
      throw new YamlTreeError(name.at, 'a key must be a plain word', 'remove the ? before it');
    return { key: String(name.value), keyAt: name.at, value: this.build(value, name.at, depth) };
  }

  #resolve(node: unknown, at: Position): unknown {
    if (!this.#yaml.isAlias(node)) return node;
    const meant = node.resolve(this.#document);
    if (meant !== undefined) return meant;
    throw new YamlTreeError(
      at,
      `no anchor &${node.source} before this alias`,
      'define it with & before it is used with *',
    );
  }
}

class YamlTreeError extends Error {
  readonly problem: Problem;

  constructor(at: Position, message: string, hint: string) {
    super(message);
    this.problem = { level: 'error', setting: '', origin: { kind: 'file', at }, message, hint };
  }
}

function positionIn(lines: Yaml.LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: line || 1, column: col || 1 };
}

function scalarOf(value: unknown): TreeScalar['value'] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null || value === undefined ? null : String(value);
}
