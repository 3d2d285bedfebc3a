/** Commands that Seine suggests. They work when pasted into the shell Seine was called from. */

/** How this program was called, as far as a suggested command must repeat it. */
export interface Invocation {
  readonly command?: string | undefined;
  /** Value of --data. SEINE_DATA needs no repetition: the next command sees the same environment. */
  readonly data?: string | undefined;
  /** Value of --config. */
  readonly config?: string | undefined;
}

export function suggestCommand(
  words: readonly string[],
  flags: { readonly data?: string | undefined; readonly config?: string | undefined },
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return formatCommand(words, { command: env.SEINE_CALLED, data: flags.data, config: flags.config });
}

/** `--data` and `--config` are options of each command, not of the program, so they go at the end. */
export function formatCommand(words: readonly string[], { command, data, config }: Invocation): string {
  const repeat = (flag: string, value: string | undefined) => (value === undefined ? [] : [flag, value]);
  const all = [command || 'seine', ...words, ...repeat('--data', data), ...repeat('--config', config)];
  return all.map(quoteForShell).join(' ');
}

/** Quotes for a POSIX shell where needed: a file can be named `$(reboot)`. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
