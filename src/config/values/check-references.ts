import type { Secret } from '../declaration/shape.ts';
import { type Problem, toProblem } from '../problem.ts';
import { literalStart } from './read-secret.ts';
import { type Reference, resolveReference } from './reference.ts';
import type { Setting } from './setting.ts';

/** Resolves all secrets. A missing one is a problem of `level`: a file can be valid on a machine that has no secrets. */
export function checkReferences(
  settings: readonly Setting[],
  env: NodeJS.ProcessEnv,
  level: Problem['level'],
): Problem[] {
  return settings.flatMap((setting) => {
    const { shape, value, origin, path } = setting;
    if (shape.shape !== 'secret' || value === undefined) return [];
    try {
      const resolved = resolveReference(value as Reference, env);
      return matchesAddress(shape, resolved) ? [] : [invalidReference(setting, shape)];
    } catch (error) {
      return [toProblem(error, level, path, origin)];
    }
  });
}

function matchesAddress({ address }: Secret, resolved: string): boolean {
  return address === undefined || address.test(resolved);
}

function invalidReference({ path, origin }: Setting, { address, env }: Secret): Problem {
  const name = origin.kind === 'env' ? origin.name : path;
  const message = `${name} must start with ${literalStart(address!)}`;
  return { level: 'error', setting: path, origin, message, hint: FORMAT_HINTS[env ?? ''] };
}

const FORMAT_HINTS: Readonly<Record<string, string>> = {
  DATABASE_URL: `write it like postgres://user:password@host:5432/database; without it Seine uses a private server`,
  REDIS_URL: `write it like redis://host:6379`,
};
