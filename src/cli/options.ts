/** Options that several commands share, and the parsers of their values. */
import { type Command, Option } from 'commander';
import { SeineError } from '../base/errors.ts';
import { type Config, readConfig } from '../config.ts';
import { PACK_NAMES } from '../governance/packs/packs.ts';

export interface CommonFlags {
  readonly config?: string;
  readonly data?: string;
  readonly threads?: string;
  readonly concurrency?: string;
  readonly json?: boolean;
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export function withCommonOptions(command: Command): Command {
  return command
    .option('--data <folder>', 'data folder (default: SEINE_DATA, or the standard data folder of the system)')
    .option(
      '--config <file>',
      'configuration file (default: SEINE_CONFIG, or seine.yaml here or in the data folder)',
    )
    .option('--json', 'print JSON instead of text')
    .option('--no-color', 'disable colours (as NO_COLOR does)')
    .addOption(new Option('--verbose', 'show the stack trace of an error').hideHelp());
}

/** Accepts an earlier spelling of a flag, which is not shown in help or completion. */
export function withOldSpelling(command: Command, old: `--${string}`, current: `--${string}`): Command {
  const { flags, attributeName } = currentOption(command, current);
  const alias = new Option(flags.replace(current, old), `old spelling of ${current}`).hideHelp();
  return command
    .addOption(alias)
    .on(`option:${alias.name()}`, (value: string | null) =>
      command.setOptionValueWithSource(attributeName, value ?? true, 'cli'),
    );
}

function currentOption(command: Command, long: string): { flags: string; attributeName: string } {
  const option = command.options.find((one) => one.long === long)!;
  return { flags: option.flags, attributeName: option.attributeName() };
}

/** `choices` is for shell completion only; `loadRules` validates the names and suggests similar ones. */
export function packOption(about: string): Option {
  return new Option('--pack <name>', about).choices(PACK_NAMES).argParser(collect);
}

export function configOf(flags: CommonFlags): Config {
  return readConfig(flags, process.env);
}

const SIZE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1e3,
  kb: 1e3,
  m: 1e6,
  mb: 1e6,
  g: 1e9,
  gb: 1e9,
  t: 1e12,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

export function parseSize(name: string, text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = match && SIZE_UNITS[match[2]!.toLowerCase()];
  if (match && unit) return Math.round(Number(match[1]) * unit);
  throw new SeineError('usage', `${name} is not a size: "${text}".`, {
    hint: 'Write it like 500KB, 20MB or 1GiB.',
  });
}

const DURATION_UNITS: Readonly<Record<string, number>> = { h: 3.6e6, d: 8.64e7, w: 6.048e8 };

/** Parses a date, or an age such as 30d. */
export function parseSince(name: string, text: string, now = Date.now()): number {
  const age = /^(\d+)([hdw])$/.exec(text.trim());
  if (age) return now - Number(age[1]) * DURATION_UNITS[age[2]!]!;
  const date = /^\d{4}-\d\d-\d\d/.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN;
  if (!Number.isNaN(date)) return date;
  throw new SeineError('usage', `${name} is neither a date nor an age: "${text}".`, {
    hint: 'Write it like 2025-01-31, 2025-01-31T12:00:00Z, 24h, 30d or 2w.',
  });
}

export function parsePercent(name: string, text: string): number {
  const value = Number(text.trim().replace(/\s*%$/, ''));
  if (text.trim() !== '' && value > 0 && value <= 100) return value;
  throw new SeineError('usage', `${name} must be above 0 and at most 100, not "${text}".`);
}

export function parseScanId(text: string): number {
  const id = Number(text);
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new SeineError('usage', `"${text}" is not a scan number.`, {
    hint: 'List the scans: seine scans',
  });
}

/** Collects the values of a repeatable option. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
