/** From flags, environment and file to checked values. Nothing is thrown for what is wrong in them: the problems are returned. */
import { chooseDataFolder } from '../db/data-folder.ts';
import { runCrossChecks } from './cross-checks.ts';
import { DECLARATION, type Values } from './declaration.ts';
import { type ConfigFile, findConfigFile } from './find-file.ts';
import { byPosition, type Origin, type Problem } from './problem.ts';
import { readSettings } from './read-settings.ts';
import type { Setting } from './setting.ts';
import { untrustedSettings } from './untrusted-settings.ts';
import { parseYaml, type Tree } from './yaml-tree.ts';

export interface ConfigFlags {
  readonly config?: string | undefined;
  readonly data?: string | undefined;
  readonly threads?: string | undefined;
  readonly concurrency?: string | undefined;
}

export interface Loaded {
  /** As people know it; null: there is none. */
  readonly file: string | null;
  /** Where relative paths in it begin. */
  readonly folder: string;
  readonly dataFolder: string;
  readonly dataOrigin: Origin;
  readonly values: Values;
  readonly settings: readonly Setting[];
  /** In the order of the file. */
  readonly problems: readonly Problem[];
}

/** Throws only when the file can't be read at all. */
export function loadSettings(flags: ConfigFlags, env: NodeJS.ProcessEnv): Loaded {
  const dataFolder = chooseDataFolder(flags.data, env);
  const file = findConfigFile(flags.config, dataFolder, env);
  const { tree, problems } = parse(file);
  const folder = file?.folder ?? dataFolder;
  const said = { threads: flags.threads, concurrency: flags.concurrency };
  const reading = readSettings(DECLARATION, { tree, folder, flags: said, env });
  // After a slip in the syntax the rest of the file is unknown; rules about it would complain about what isn't missing.
  const rest = problems.length > 0 ? [] : [...reading.problems, ...runCrossChecks(reading)];
  return {
    file: file?.name ?? null,
    folder,
    dataFolder,
    dataOrigin: dataOrigin(flags, env),
    values: reading.values,
    settings: reading.settings,
    problems: [...problems, ...rest].sort(byOrigin),
  };
}

/** Of a file that says more than it may nothing is read: a message about a value could already quote a secret. */
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

/** What the file doesn't say comes last. */
function byOrigin({ origin: a }: Problem, { origin: b }: Problem): number {
  if (a.kind === 'file' && b.kind === 'file') return byPosition(a.at, b.at);
  return Number(b.kind === 'file') - Number(a.kind === 'file');
}
