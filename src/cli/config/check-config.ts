import { type Loaded, loadSettings } from '../../config/load.ts';
import { formatOrigin, type Problem } from '../../config/problem.ts';
import { checkReferences } from '../../config/values/check-references.ts';
import { EXIT } from '../exit-code.ts';
import type { CommonFlags } from '../options.ts';
import { detectTerminalStyle, paint, type TerminalStyle } from '../output/terminal-style.ts';
import { visible, visibleLines } from '../output/visible.ts';

/** Prints all problems; the exit code tells whether the configuration is valid. */
export function checkConfig(flags: CommonFlags & { readonly strict?: boolean }, env = process.env): number {
  const loaded = loadSettings(flags, env);
  const absent = checkReferences(loaded.settings, env, flags.strict ? 'error' : 'warning');
  const problems = [...loaded.problems, ...absent];
  const valid = !problems.some(({ level }) => level === 'error');
  if (flags.json) {
    const answer = { file: loaded.file, valid, problems: problems.map(jsonOf) };
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  } else {
    const style = detectTerminalStyle(process.stdout, env, flags);
    process.stdout.write(
      problems.map((problem) => describe(problem, loaded, style)).join('') + summary(problems, loaded),
    );
  }
  return valid ? EXIT.done : EXIT.usage;
}

function describe({ level, origin, message, hint }: Problem, { file }: Loaded, style: TerminalStyle): string {
  const mark = paint(style, level === 'error' ? 'red' : 'yellow', `${level}:`);
  const where = visible(formatOrigin(origin, file));
  return `${where}: ${mark} ${visibleLines(message)}\n${hint ? `    ${visibleLines(hint)}\n` : ''}`;
}

function summary(problems: readonly Problem[], { file }: Loaded): string {
  const name = visible(file ?? 'No configuration file; environment');
  const count = (level: Problem['level']) => {
    const { length } = problems.filter((problem) => problem.level === level);
    return length === 0 ? [] : [`${length} ${level}${length === 1 ? '' : 's'}`];
  };
  const counts = [...count('error'), ...count('warning')];
  return `${name}: ${count('error').length > 0 ? counts.join(', ') : ['valid', ...counts].join(', ')}\n`;
}

function jsonOf({ level, setting, origin, message, hint }: Problem): object {
  const at = origin.kind === 'file' ? origin.at : {};
  return { level, setting, from: origin.kind, ...at, message, ...(hint && { hint }) };
}
