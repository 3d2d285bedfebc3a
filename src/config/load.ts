/** Reads and validates settings from flags, environment and file. Invalid ones are not thrown but returned as problems. */
import { chooseDataFolder } from '../db/data-folder.ts';
import { runCrossChecks } from './cross-checks.ts';
import { DECLARATION, type Values } from './declaration/declaration.ts';
import { type ConfigFile, findConfigFile } from './file/find-file.ts';
import { untrustedSettings } from './file/untrusted-settings.ts';
import { parseYaml, type Tree } from './file/yaml-tree.ts';
import { byPosition, type Origin, type Problem } from './problem.ts';
import { readSettings } from './values/read-settings.ts';
import type { Setting } from './values/setting.ts';

export interface ConfigFlags {
  readonly config?: string | undefined;
  readonly data?: string | undefined;
  readonly threads?: string | undefined;
  readonly concurrency?: string | undefined;
}

export interface Loaded {
  /** Name for messages; null if there is no file. */
  readonly file: string | null;
  /** Relative paths in the file are resolved against this folder. */
  readonly folder: string;
  readonly dataFolder: string;
  readonly dataOrigin: Origin;
  readonly values: Values;
  readonly settings: readonly Setting[];
  /** In the order of the file. */
  readonly problems: readonly Problem[];
}

/** Throws only if the file can't be read at all. */
export function loadSettings(flags: ConfigFlags, env: NodeJS.ProcessEnv): Loaded {
  const dataFolder = chooseDataFolder(flags.data, env);
  const file = findConfigFile(flags.config, dataFolder, env);
  const { tree, problems } = parse(file);
  const folder = file?.folder ?? dataFolder;
  const overrides = { threads: flags.threads, concurrency: flags.concurrency };
  const settings = readSettings(DECLARATION, { tree, folder, flags: overrides, env });
  // After a syntax error the settings are unknown; cross-checks would report settings as missing that are in the file.
  const rest = problems.length > 0 ? [] : [...settings.problems, ...runCrossChecks(settings)];
  return {
    file: file?.name ?? null,
    folder,
    dataFolder,
    dataOrigin: dataOrigin(flags, env),
    values: settings.values,
    settings: settings.settings,
    problems: [...problems, ...rest].sort(byOrigin),
  };
}

/** A file with settings that are not allowed is not read at all: a message about a value could already quote a secret. */
function parse(file: ConfigFile | null): { tree: Tree | null; problems: readonly Problem[] } {
  if (file === null) return { tree: null, problems: [] };
  const read = parseYaml(file.text);
  const untrusted = file.trusted ? [] : untrustedSettings(DECLARATION, read.tree);
  return untrusted.length === 0 ? read : { tree: null, problems: untrusted };
}

function dataOrigin(flags: ConfigFlags, env: NodeJS.ProcessEnv): Origin {
  if (flags.data) return { kind: 'flag', name: '--data' };
  return env.SEINE_DATA ? { kind: 'env', name: 'SEINE_DATA' } : { kind: 'default' };
}

/** Problems outside the file come last. */
function byOrigin({ origin: a }: Problem, { origin: b }: Problem): number {
  if (a.kind === 'file' && b.kind === 'file') return byPosition(a.at, b.at);
  return Number(b.kind === 'file') - Number(a.kind === 'file');
}
