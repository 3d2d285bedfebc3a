/** Ctrl-C and SIGTERM ask for an orderly end; asked a second time, the process goes at once and loses nothing written. */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { quiet = false } = {},
): Promise<T> {
  const asked = new AbortController();
  const ask = (name: NodeJS.Signals) => {
    if (asked.signal.aborted) process.exit(1);
    const why = name === 'SIGINT' ? 'Interrupted' : 'Asked to stop';
    if (!quiet) process.stderr.write(`\n${why}: writing down where it stands (again to leave at once)…\n`);
    asked.abort();
  };
  process.on('SIGINT', ask).on('SIGTERM', ask);
  try {
    return await work(asked.signal);
  } finally {
    process.off('SIGINT', ask).off('SIGTERM', ask);
  }
}
