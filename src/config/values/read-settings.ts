/**
 * Reads every setting of a declaration: from a flag, else the environment, else the file, else its default. Invalid values are
 * collected as problems and replaced by the default, so that all problems are found at once.
 */
import { didYouMean } from '../../base/nearest.ts';
import { type AnyGroup, type AnyList, type Shape, settingKeys, type ValueOf } from '../declaration/shape.ts';
import type { Tree, TreeMap } from '../file/yaml-tree.ts';
import { byPosition, type Origin, type Position, type Problem } from '../problem.ts';
import { MisplacedKeys } from './misplaced-keys.ts';
import { readSecret } from './read-secret.ts';
import { readSingle } from './read-single.ts';
import type { Setting, SettingContext, SettingInputs } from './setting.ts';

export interface ParsedSettings<V> {
  readonly values: V;
  readonly settings: readonly Setting[];
  readonly problems: readonly Problem[];
}

export function readSettings<S extends AnyGroup>(
  declaration: S,
  inputs: SettingInputs,
): ParsedSettings<ValueOf<S>> {
  const reader = new SettingsReader(declaration, inputs);
  // `read` follows the declaration, so its result has the type derived from it.
  const values = reader.read(declaration, inputs.tree ?? undefined, '') as ValueOf<S>;
  return { values, settings: reader.settings, problems: reader.problems };
}

type Entries = ReadonlyMap<string, TreeMap['entries'][number]>;

class SettingsReader {
  readonly settings: Setting[] = [];
  readonly problems: Problem[] = [];
  readonly #inputs: SettingInputs;
  readonly #misplaced: MisplacedKeys;

  constructor(declaration: AnyGroup, inputs: SettingInputs) {
    this.#inputs = inputs;
    this.#misplaced = new MisplacedKeys(declaration);
  }

  read(shape: Shape, tree: Tree | undefined, path: string): unknown {
    if (shape.shape === 'group') return this.#group(shape, tree, path);
    if (shape.shape === 'list') return this.#list(shape, tree, path);
    if (shape.shape === 'secret') return undefined; // a list item has no key, so it can't have _env or _file
    return readSingle(shape, tree, this.#context(path));
  }

  #context(path: string): SettingContext {
    return {
      ...this.#inputs,
      path,
      reportProblem: (origin, message, hint) => this.#reportProblem(path, origin, message, hint),
      recordSetting: (shape, value, origin) => {
        // Unset settings of list entries are not recorded: they have no default.
        if (value !== undefined || !path.includes('[')) this.settings.push({ path, shape, value, origin });
      },
    };
  }

  #group(shape: AnyGroup, tree: Tree | undefined, path: string): Record<string, unknown> {
    const map =
      isEmptyTree(tree) || tree?.kind === 'map' ? tree : this.#reportWrongType('a mapping', tree!, path);
    const entries: Entries = new Map(
      (map?.kind === 'map' ? map.entries : []).map((each) => [each.key, each]),
    );
    const known = Object.entries(shape.keys).flatMap(([key, inner]) => settingKeys(key, inner));
    for (const { key, keyAt } of entries.values()) {
      if (!known.includes(key)) this.#reportUnknownKey(key, keyAt, path, known);
    }
    const values = Object.entries(shape.keys).map(([key, inner]) => {
      const innerPath = path === '' ? key : `${path}.${key}`;
      if (inner.shape !== 'secret') return [key, this.read(inner, entries.get(key)?.value, innerPath)];
      return [key, readSecret(inner, key, entries, this.#context(innerPath))];
    });
    if (map?.kind === 'map') this.#checkDependencies(shape, map.at, entries, path);
    return Object.fromEntries(values);
  }

  /** Checks required keys, keys that require or exclude each other. */
  #checkDependencies(shape: AnyGroup, at: Position, entries: Entries, path: string): void {
    const here = (key: string) =>
      settingKeys(key, shape.keys[key]!)
        .map((name) => entries.get(name))
        .find(Boolean);
    const report = (position: Position, message: string, hint: string) =>
      this.#reportProblem(path, { kind: 'file', at: position }, message, hint);
    for (const key of shape.required ?? [])
      if (!here(key)) report(at, `${path} has no ${key}`, `add ${key}: …`);
    for (const [key, other] of shape.needs ?? []) {
      const unmet = here(other) ? undefined : here(key);
      if (unmet)
        report(unmet.keyAt, `${path}.${unmet.key} needs ${other}`, `add ${other}: …, or remove ${unmet.key}`);
    }
    if (!shape.oneOf) return;
    const [first, second] = shape.oneOf
      .flatMap((key) => here(key) ?? [])
      .sort((a, b) => byPosition(a.keyAt, b.keyAt));
    const names = shape.oneOf.join(' or ');
    if (!first) report(at, `${path} has neither ${shape.oneOf.join(' nor ')}`, `add ${names}`);
    if (second) report(second.keyAt, `${path} can have ${names}, not both`, 'make two entries');
  }

  #list(shape: AnyList, tree: Tree | undefined, path: string): unknown[] {
    const { recordSetting } = this.#context(path);
    if (tree === undefined || isEmptyTree(tree) || tree.kind !== 'list') {
      if (tree && !isEmptyTree(tree)) this.#reportWrongType('a list', tree, path);
      const value = [...(shape.default ?? [])];
      if (shape.default === undefined) recordSetting(shape, value, { kind: 'default' });
      return value;
    }
    const before = this.settings.length;
    const items = tree.items.map((item, index) => this.#item(shape, item, `${path}[${index}]`));
    const origin: Origin = { kind: 'file', at: tree.at };
    if (shape.item.shape === 'single') {
      this.settings.length = before;
      if (items.length === 0 && shape.default !== undefined)
        this.#reportProblem(path, origin, `${path} is empty`, 'omit it to use the default');
    }
    if (shape.item.shape === 'single' || items.length === 0) recordSetting(shape, items, origin);
    return items;
  }

  #item(shape: AnyList, tree: Tree, path: string): unknown {
    if (isEmptyTree(tree))
      this.#reportProblem(path, { kind: 'file', at: tree.at }, `${path} is empty`, 'remove the -');
    return this.read(shape.item, isEmptyTree(tree) ? undefined : tree, path);
  }

  #reportUnknownKey(key: string, at: Position, path: string, known: readonly string[]): void {
    const where = path === '' ? 'there is no setting' : `${path} has no setting`;
    const hint =
      this.#misplaced.hint(key) ?? didYouMean(key, known, `the settings here are ${known.join(', ')}`);
    this.#reportProblem(
      path === '' ? key : `${path}.${key}`,
      { kind: 'file', at },
      `${where} '${key.slice(0, 60)}'`,
      hint,
    );
  }

  #reportWrongType(expected: string, tree: Tree, path: string): undefined {
    const hint =
      expected === 'a list' ? 'write one item per line after a -' : 'write one key: value per line';
    const message = `${path || 'the file'} must be ${expected}, not ${typeNameOf(tree)}`;
    this.#reportProblem(path, { kind: 'file', at: tree.at }, message, hint);
    return undefined;
  }

  #reportProblem(setting: string, origin: Origin, message: string, hint?: string): void {
    this.problems.push({ level: 'error', setting, origin, message, hint });
  }
}

/** For example a heading under which everything is commented out. */
function isEmptyTree(tree: Tree | undefined): boolean {
  return tree === undefined || (tree.kind === 'scalar' && tree.value === null);
}

/** The type only, never the value: it may be a secret in the wrong place. */
function typeNameOf(tree: Tree): string {
  if (tree.kind !== 'scalar') return tree.kind === 'map' ? 'a mapping' : 'a list';
  return typeof tree.value === 'string' ? 'a text' : `a ${typeof tree.value}`;
}
