/** Parses settings from YAML text. */

import { runCrossChecks } from './cross-checks.ts';
import { DECLARATION, type Values } from './declaration/declaration.ts';
import { parseYaml } from './file/yaml-tree.ts';
import type { Problem } from './problem.ts';
import { type ParsedSettings, readSettings } from './values/read-settings.ts';

export function parseSettings(
  text: string,
  env: NodeJS.ProcessEnv = {},
  flags: Readonly<Record<string, string>> = {},
): ParsedSettings<Values> {
  const { tree, problems } = parseYaml(text);
  const settings = readSettings(DECLARATION, { tree, folder: '/etc/seine', flags, env });
  return { ...settings, problems: [...problems, ...settings.problems, ...runCrossChecks(settings)] };
}

/** One `4:12 queue.stall must be …` for each problem. */
export function problemMessages({ problems }: { readonly problems: readonly Problem[] }): string[] {
  return problems.map(({ origin, message }) =>
    origin.kind === 'file' ? `${origin.at.line}:${origin.at.column} ${message}` : message,
  );
}
