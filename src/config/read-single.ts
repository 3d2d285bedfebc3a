import { didYouMean } from '../base/nearest.ts';
import { fillIn, hasPlaces } from './interpolate.ts';
import type { Kind } from './kind.ts';
import { type Origin, problemOf } from './problem.ts';
import type { Context } from './setting.ts';
import { presetOf, type Single } from './shape.ts';
import type { Tree } from './yaml-tree.ts';

/** The value of one setting. What the file says is checked also where the environment says otherwise. */
export function readSingle(shape: Single<unknown>, tree: Tree | undefined, context: Context): unknown {
  const written = tree && readWritten(shape.kind, tree, context);
  const said = readSaid(shape, context);
  const { value, origin } = said ??
    written ?? { value: presetOf(shape), origin: { kind: 'default' } as const };
  context.settled(shape, value, origin);
  return value;
}

interface Found {
  readonly value: unknown;
  readonly origin: Origin;
}

/** By a flag or by the environment. */
function readSaid(shape: Single<unknown>, { flags, env, tell }: Context): Found | undefined {
  const given = shape.flag ? flags[shape.flag] : undefined;
  const text = given ?? (shape.env && env[shape.env]);
  if (!text) return undefined;
  const name = given === undefined ? shape.env! : `--${shape.flag}`;
  const origin: Origin = { kind: given === undefined ? 'env' : 'flag', name };
  const value = shape.kind.read(text);
  if (value !== undefined) return { value, origin };
  tell(origin, `${name} must be ${shape.kind.said}${quoted(shape.kind, text)}`, hintFor(shape.kind, text));
  return undefined;
}

function readWritten(kind: Kind<unknown>, tree: Tree, context: Context): Found | undefined {
  const at: Origin = { kind: 'file', at: tree.at };
  const wrong = (found: string, hint: string | undefined) => {
    context.tell(at, `${context.path} must be ${kind.said}${found}`, hint);
    return undefined;
  };
  if (tree.kind !== 'scalar')
    return wrong(tree.kind === 'map' ? ', not a mapping' : ', not a list', kind.hint);
  if (tree.value === null) return wrong(', not empty', 'leave the key out for the default');
  const filled = fill(tree.value, at, context);
  if (filled === undefined) return undefined;
  const fits = filled.via !== undefined || kind.natives.some((native) => native === typeof tree.value);
  const value = fits ? kind.read(filled.text) : undefined;
  if (value !== undefined)
    return { value, origin: filled.via === undefined ? at : { ...at, via: filled.via } };
  if (typeof tree.value === 'string')
    return wrong(quoted(kind, filled.text), hintFor(kind, filled.text, !fits));
  const quotes = kind.natives.includes('string') && !fits ? 'put quotes around it' : kind.hint;
  return wrong(`, not the ${typeof tree.value} ${tree.value}`, quotes);
}

/** The text with its variables; undefined when one is missing. */
function fill(
  value: string | number | boolean,
  origin: Origin,
  { env, path, tell }: Context,
): { text: string; via: string | undefined } | undefined {
  if (typeof value !== 'string') return { text: String(value), via: undefined };
  try {
    return { text: fillIn(value, env), via: hasPlaces(value) ? value : undefined };
  } catch (error) {
    const { message, hint } = problemOf(error, 'error', path, origin);
    tell(origin, message, hint);
    return undefined;
  }
}

function hintFor(kind: Kind<unknown>, text: string, quoted = false): string | undefined {
  if (quoted && kind.read(text) !== undefined) return 'write it without quotes';
  return kind.words ? didYouMean(text, kind.words, '') || kind.hint : kind.hint;
}

function quoted({ quiet }: Kind<unknown>, text: string): string {
  if (quiet) return '';
  return text.length > 60 ? `, not "${text.slice(0, 60)}…"` : `, not "${text}"`;
}
