/** Commands that Seine suggests: they work as printed, pasted into the shell in which it was called. */

/** How this program was called, as far as it must be said again. */
export interface Called {
  readonly command?: string | undefined;
  /** As given with --data. What the environment says holds for the next command anyway. */
  readonly data?: string | undefined;
}

export function commandAgain(
  words: readonly string[],
  flags: { readonly data?: string | undefined },
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return commandLine(words, { command: env.SEINE_CALLED, data: flags.data });
}

/** `--data` belongs to each command, not to the program: it stands at the end. */
export function commandLine(words: readonly string[], { command, data }: Called): string {
  const all = [command || 'seine', ...words, ...(data === undefined ? [] : ['--data', data])];
  return all.map(shellWord).join(' ');
}

/** Quoted for a POSIX shell where it needs to be: a file can be called `$(reboot)`. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
