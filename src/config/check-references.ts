import { type Problem, toProblem } from './problem.ts';
import { literalStart } from './read-secret.ts';
import { type Reference, resolveReference } from './reference.ts';
import type { Setting } from './setting.ts';
import type { Secret } from './shape.ts';

/** What is not there is a problem of this level: where the secrets live elsewhere, a file can be right all the same. */
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
  const message = `${name} must begin with ${literalStart(address!)}`;
  return { level: 'error', setting: path, origin, message, hint: FORMAT_HINTS[env ?? ''] };
}

const FORMAT_HINTS: Readonly<Record<string, string>> = {
  DATABASE_URL: `it looks like postgres://user:password@host:5432/database; without it Seine uses a private server of its own`,
  REDIS_URL: `it looks like redis://host:6379`,
};
