/** Ctrl-C and SIGTERM abort the signal, so that `work` can drain; a second one exits at once. Committed checkpoints are kept either way. */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { quiet = false } = {},
): Promise<T> {
  const interrupted = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (interrupted.signal.aborted) process.exit(1);
    const why = name === 'SIGINT' ? 'Interrupted' : 'Stopping';
    if (!quiet) process.stderr.write(`\n${why}: saving progress; Ctrl-C again to exit now…\n`);
    interrupted.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    return await work(interrupted.signal);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}
