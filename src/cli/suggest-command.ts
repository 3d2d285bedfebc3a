/** Commands that Seine suggests: they work as printed, pasted into the shell in which it was called. */

/** How this program was called, as far as it must be said again. */
export interface Invocation {
  readonly command?: string | undefined;
  /** As given with --data. What the environment says holds for the next command anyway. */
  readonly data?: string | undefined;
  /** As given with --config. */
  readonly config?: string | undefined;
}

export function suggestCommand(
  words: readonly string[],
  flags: { readonly data?: string | undefined; readonly config?: string | undefined },
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return formatCommand(words, { command: env.SEINE_CALLED, data: flags.data, config: flags.config });
}

/** `--data` and `--config` belong to each command, not to the program: they stand at the end. */
export function formatCommand(words: readonly string[], { command, data, config }: Invocation): string {
  const same = (flag: string, value: string | undefined) => (value === undefined ? [] : [flag, value]);
  const all = [command || 'seine', ...words, ...same('--data', data), ...same('--config', config)];
  return all.map(quoteForShell).join(' ');
}

/** Quoted for a POSIX shell where it needs to be: a file can be called `$(reboot)`. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
