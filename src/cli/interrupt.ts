/**
 * Ctrl-C and SIGTERM abort the signal, so that the command can save its progress; a second one exits at once. Committed checkpoints are
 * kept either way.
 */
export function catchInterrupts({ quiet = false } = {}): {
  readonly signal: AbortSignal;
  readonly release: () => void;
} {
  const interrupted = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (interrupted.signal.aborted) process.exit(1);
    const why = name === 'SIGINT' ? 'Interrupted' : 'Stopping';
    if (!quiet) process.stderr.write(`\n${why}: saving progress; Ctrl-C again to exit now…\n`);
    interrupted.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const release = () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  return { signal: interrupted.signal, release };
}

export async function interruptible<T>(
  fn: (signal: AbortSignal) => Promise<T>,
  options: { readonly quiet?: boolean } = {},
): Promise<T> {
  const { signal, release } = catchInterrupts(options);
  try {
    return await fn(signal);
  } finally {
    release();
  }
}
