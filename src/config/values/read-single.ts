import { didYouMean } from '../../base/nearest.ts';
import { resolveDefault, type Single } from '../declaration/shape.ts';
import type { ValueType } from '../declaration/value-type.ts';
import type { Tree } from '../file/yaml-tree.ts';
import { type Origin, toProblem } from '../problem.ts';
import { hasVariables, interpolate } from './interpolate.ts';
import type { SettingContext } from './setting.ts';

/** Reads one setting. The value in the file is validated even if a flag or the environment overrides it. */
export function readSingle(shape: Single<unknown>, tree: Tree | undefined, context: SettingContext): unknown {
  const written = tree && readFromFile(shape.type, tree, context);
  const override = readFromFlagOrEnv(shape, context);
  const { value, origin } = override ??
    written ?? { value: resolveDefault(shape), origin: { kind: 'default' } as const };
  context.recordSetting(shape, value, origin);
  return value;
}

interface Found {
  readonly value: unknown;
  readonly origin: Origin;
}

/** The value of a flag or an environment variable. */
function readFromFlagOrEnv(
  shape: Single<unknown>,
  { flags, env, reportProblem }: SettingContext,
): Found | undefined {
  const given = shape.flag ? flags[shape.flag] : undefined;
  const text = given ?? (shape.env && env[shape.env]);
  if (!text) return undefined;
  const name = given === undefined ? shape.env! : `--${shape.flag}`;
  const origin: Origin = { kind: given === undefined ? 'env' : 'flag', name };
  const value = shape.type.parse(text);
  if (value !== undefined) return { value, origin };
  reportProblem(
    origin,
    `${name} must be ${shape.type.expected}${quoteValue(shape.type, text)}`,
    hintFor(shape.type, text),
  );
  return undefined;
}

function readFromFile(type: ValueType<unknown>, tree: Tree, context: SettingContext): Found | undefined {
  const at: Origin = { kind: 'file', at: tree.at };
  const wrong = (found: string, hint: string | undefined) => {
    context.reportProblem(at, `${context.path} must be ${type.expected}${found}`, hint);
    return undefined;
  };
  if (tree.kind !== 'scalar')
    return wrong(tree.kind === 'map' ? ', not a mapping' : ', not a list', type.hint);
  if (tree.value === null) return wrong(', not empty', 'omit the key to use the default');
  const filled = interpolateScalar(tree.value, at, context);
  if (filled === undefined) return undefined;
  const fits = filled.via !== undefined || type.yamlTypes.some((native) => native === typeof tree.value);
  const value = fits ? type.parse(filled.text) : undefined;
  if (value !== undefined)
    return { value, origin: filled.via === undefined ? at : { ...at, via: filled.via } };
  if (typeof tree.value === 'string')
    return wrong(quoteValue(type, filled.text), hintFor(type, filled.text, !fits));
  const quotes = type.yamlTypes.includes('string') && !fits ? 'put quotes around it' : type.hint;
  return wrong(`, not the ${typeof tree.value} ${tree.value}`, quotes);
}

/** Returns the text with variables replaced, or undefined if one is missing. */
function interpolateScalar(
  value: string | number | boolean,
  origin: Origin,
  { env, path, reportProblem }: SettingContext,
): { text: string; via: string | undefined } | undefined {
  if (typeof value !== 'string') return { text: String(value), via: undefined };
  try {
    return { text: interpolate(value, env), via: hasVariables(value) ? value : undefined };
  } catch (error) {
    const { message, hint } = toProblem(error, 'error', path, origin);
    reportProblem(origin, message, hint);
    return undefined;
  }
}

function hintFor(type: ValueType<unknown>, text: string, quoted = false): string | undefined {
  if (quoted && type.parse(text) !== undefined) return 'write it without quotes';
  return type.choices ? didYouMean(text, type.choices, '') || type.hint : type.hint;
}

function quoteValue({ isSensitive }: ValueType<unknown>, text: string): string {
  if (isSensitive) return '';
  return text.length > 60 ? `, not "${text.slice(0, 60)}…"` : `, not "${text}"`;
}
