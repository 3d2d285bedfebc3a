/**
 * Finds the file and line of a syntax error. Node attaches them to an error that ends the process, but not to one that is caught from
 * `import()`: its stack names only Node's own functions. So each file that was loaded is compiled again, by a Node that only checks.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface SyntaxErrorLocation {
  readonly file: string;
  readonly line: number;
  /** The line itself, without the blanks around it. */
  readonly text: string;
}

const CHECK = ['--check', '--input-type=module', '-'];
const CHECK_TIMEOUT_MS = 10_000;

/** `urls`: the modules that were loaded, in that order. Returns null if all of them compile. */
export function findSyntaxError(urls: Iterable<string>): SyntaxErrorLocation | null {
  for (const url of urls) {
    const location = url.startsWith('file:') ? checkSyntax(fileURLToPath(url)) : null;
    if (location !== null) return location;
  }
  return null;
}

function checkSyntax(file: string): SyntaxErrorLocation | null {
  const source = readFileSync(file, 'utf8');
  const input = /\.m?ts$/.test(file) ? stripTypes(source) : source;
  if (input === null) return null;
  const { stderr } = spawnSync(process.execPath, CHECK, {
    input,
    encoding: 'utf8',
    timeout: CHECK_TIMEOUT_MS,
  });
  const line = Number(/^\[stdin\]:(\d+)$/m.exec(stderr)?.[1]);
  return line > 0 ? { file, line, text: source.split('\n')[line - 1]?.trim() ?? '' } : null;
}

/** The types are replaced by blanks, so lines keep their numbers. Returns null for syntax that is more than types: its error has a line of its own. */
function stripTypes(source: string): string | null {
  try {
    return stripTypeScriptTypes(source);
  } catch {
    return null;
  }
}
