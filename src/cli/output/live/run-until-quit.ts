/** Quits on q, Escape, Ctrl-C or a signal. A second one exits at once. */

export interface Keyboard {
  readonly isTTY?: boolean | undefined;
  setRawMode?(raw: boolean): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'data', listener: (chunk: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const QUIT_KEYS = new Set(['q', 'Q', '\x03', '\x1b']);

/** With `keyboard` null only signals quit. */
export async function runUntilQuit<T>(
  keyboard: Keyboard | null,
  fn: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const quit = new AbortController();
  const onQuit = () => {
    if (quit.signal.aborted) process.exit(1);
    quit.abort();
  };
  const onKey = (chunk: Buffer) => {
    if (QUIT_KEYS.has(chunk.toString('latin1'))) onQuit();
  };
  const keys = keyboard?.isTTY === true ? keyboard : null;
  for (const signal of SIGNALS) process.on(signal, onQuit);
  keys?.setRawMode?.(true); // delivers keys one by one, without echo
  keys?.on('data', onKey);
  keys?.resume();
  try {
    return await fn(quit.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, onQuit);
    keys?.off('data', onKey);
    keys?.setRawMode?.(false);
    keys?.pause();
  }
}
