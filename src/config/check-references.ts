import { type Problem, problemOf } from './problem.ts';
import { beginning } from './read-secret.ts';
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
      return isFit(shape, resolved) ? [] : [unfit(setting, shape)];
    } catch (error) {
      return [problemOf(error, level, path, origin)];
    }
  });
}

function isFit({ address }: Secret, resolved: string): boolean {
  return address === undefined || address.test(resolved);
}

function unfit({ path, origin }: Setting, { address, env }: Secret): Problem {
  const name = origin.kind === 'env' ? origin.name : path;
  const message = `${name} must begin with ${beginning(address!)}`;
  return { level: 'error', setting: path, origin, message, hint: LOOKS[env ?? ''] };
}

const LOOKS: Readonly<Record<string, string>> = {
  DATABASE_URL: `it looks like postgres://user:password@host:5432/database; without it Seine uses a private server of its own`,
  REDIS_URL: `it looks like redis://host:6379`,
};
