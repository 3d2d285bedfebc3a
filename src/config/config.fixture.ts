/** Settings from a text, as tests want them. */
import { DECLARATION, type Values } from './declaration.ts';
import type { Problem } from './problem.ts';
import { type Reading, readSettings } from './read-settings.ts';
import { applyRules } from './rules.ts';
import { readYaml } from './yaml-tree.ts';

export function readText(
  text: string,
  env: NodeJS.ProcessEnv = {},
  flags: Readonly<Record<string, string>> = {},
): Reading<Values> {
  const { tree, problems } = readYaml(text);
  const reading = readSettings(DECLARATION, { tree, folder: '/etc/seine', flags, env });
  return { ...reading, problems: [...problems, ...reading.problems, ...applyRules(reading)] };
}

/** `4:12 queue.stall must be …`, one a problem. */
export function told({ problems }: { readonly problems: readonly Problem[] }): string[] {
  return problems.map(({ origin, message }) =>
    origin.kind === 'file' ? `${origin.at.line}:${origin.at.column} ${message}` : message,
  );
}
