import { type ListedSetting, listSettings } from '../../config/list-settings.ts';
import { loadSettings } from '../../config/load.ts';
import { configError, type Origin } from '../../config/problem.ts';
import type { CommonFlags } from '../options.ts';
import { table } from '../output/table.ts';

export function showConfig(flags: CommonFlags, env = process.env): void {
  const loaded = loadSettings(flags, env);
  if (loaded.problems.length > 0) throw configError(loaded.problems, loaded.file);
  const settings = listSettings(loaded, env);
  if (flags.json) {
    const answer = { file: loaded.file, settings: settings.map(jsonOf) };
    return void process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  }
  const rows = settings.map((shown) => [shown.setting, valueText(shown), originText(shown, loaded.file)]);
  process.stdout.write(table(['left', 'left', 'left'], [['SETTING', 'VALUE', 'FROM'], ...rows]));
  if (loaded.file === null) process.stderr.write('No seine.yaml in the working folder or the data folder.\n');
}

function valueText({ value, unset }: ListedSetting): string {
  if (value === null) return unset ?? '';
  if (typeof value !== 'object') return String(value);
  return value.length === 0 ? 'none' : value.join(', ');
}

/** `DATABASE_URL`, `seine.yaml:4`, `/run/secrets/key (missing), by seine.yaml:9`. */
function originText({ origin, reference }: ListedSetting, file: string | null): string {
  const said = setBy(origin, file);
  const there = reference?.there === false ? ` (${reference.from === 'env' ? 'not set' : 'missing'})` : '';
  if (reference === undefined || origin.kind !== 'file') return said + there;
  return `${reference.name}${there}, by ${said}`;
}

function setBy(origin: Origin, file: string | null): string {
  if (origin.kind === 'default') return 'default';
  if (origin.kind !== 'file') return origin.name;
  const where = `${file}:${origin.at.line}`;
  return origin.via === undefined ? where : `${origin.via} in ${where}`;
}

function jsonOf({ setting, value, origin, reference }: ListedSetting): object {
  const { kind, ...where } = origin;
  const { at, ...name } = 'at' in where ? where : { at: undefined, ...where };
  return { setting, value, from: kind, ...name, ...at, ...(reference && { reference }) };
}
