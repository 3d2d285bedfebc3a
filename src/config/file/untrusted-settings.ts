/**
 * A configuration file that was found automatically, neither named nor trusted, may only contain settings declared `harmless`. All others
 * could send findings or secrets elsewhere, run code, or write and delete data. Variables are not allowed either:
 * `${AWS_SECRET_ACCESS_KEY}` in a value would appear in a message about that value.
 */

import { resolveDefault, type Shape, settingKeys } from '../declaration/shape.ts';
import type { Origin, Problem } from '../problem.ts';
import { hasVariables } from '../values/interpolate.ts';
import type { Tree } from './yaml-tree.ts';

export function untrustedSettings(shape: Shape, tree: Tree | null): Problem[] {
  return tree === null ? [] : findUntrusted(shape, tree, '');
}

function findUntrusted(shape: Shape, tree: Tree, path: string): Problem[] {
  if (tree.kind === 'scalar') {
    if (hasVariable(tree)) return [untrustedProblem(path, tree.at, ' contains a variable')];
    return exceeds(shape, String(tree.value)) ? [untrustedProblem(path, tree.at, ' above its default')] : [];
  }
  if (tree.kind === 'list') {
    const item = shape.shape === 'list' ? shape.item : shape;
    return tree.items.flatMap((each, index) => findUntrusted(item, each, `${path}[${index}]`));
  }
  const group = shape.shape === 'list' ? shape.item : shape;
  const keys = group.shape === 'group' ? group.keys : {};
  return tree.entries.flatMap(({ key, keyAt, value }) => {
    const innerPath = path === '' ? key : `${path}.${key}`;
    const declared = Object.entries(keys).find(([name, inner]) => settingKeys(name, inner).includes(key));
    // Undeclared keys are not used, and reported as unknown by the reader.
    if (!declared) return variablesIn(value, path);
    if (isEmpty(value)) return [];
    return isHarmless(declared[1])
      ? findUntrusted(declared[1], value, innerPath)
      : [untrustedProblem(innerPath, keyAt)];
  });
}

/** Whether at least one setting of the shape is harmless; then its parts are checked one by one. */
function isHarmless(shape: Shape): boolean {
  if (shape.shape === 'group') return Object.values(shape.keys).some(isHarmless);
  if (shape.shape === 'list') return isHarmless(shape.item);
  return shape.shape === 'single' && shape.harmless !== undefined;
}

/** Values that do not parse are not used, and reported by the reader. */
function exceeds(shape: Shape, text: string): boolean {
  if (shape.shape !== 'single' || shape.harmless !== 'downwards') return false;
  const value = shape.type.parse(text);
  return value !== undefined && Number(value) > Number(resolveDefault(shape));
}

function variablesIn(tree: Tree, path: string): Problem[] {
  if (tree.kind === 'scalar')
    return hasVariable(tree) ? [untrustedProblem(path, tree.at, ' contains a variable')] : [];
  const parts = tree.kind === 'list' ? tree.items : tree.entries.map(({ value }) => value);
  return parts.flatMap((part) => variablesIn(part, path));
}

function hasVariable(tree: Tree): boolean {
  return tree.kind === 'scalar' && typeof tree.value === 'string' && hasVariables(tree.value);
}

function isEmpty(tree: Tree): boolean {
  if (tree.kind === 'scalar') return tree.value === null;
  return (tree.kind === 'list' ? tree.items : tree.entries).length === 0;
}

function untrustedProblem(setting: string, at: Extract<Origin, { kind: 'file' }>['at'], what = ''): Problem {
  return {
    level: 'error',
    setting,
    origin: { kind: 'file', at },
    message: `${setting || 'the file'}${what} is only allowed in a configuration file that you specified or trusted`,
    hint: undefined,
    untrusted: true,
  };
}
