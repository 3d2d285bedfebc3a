/** When somebody wants to go: q, Escape, Ctrl-C, or a signal. Asked twice, the process ends at once. */

export interface Keyboard {
  readonly isTTY?: boolean | undefined;
  setRawMode?(raw: boolean): unknown;
  on(event: 'data', heard: (chunk: Buffer) => void): unknown;
  off(event: 'data', heard: (chunk: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const QUIT_KEYS = new Set(['q', 'Q', '\x03', '\x1b']);

/** `keyboard` null: only signals. */
export async function runUntilQuit<T>(
  keyboard: Keyboard | null,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const left = new AbortController();
  const leave = () => {
    if (left.signal.aborted) process.exit(1);
    left.abort();
  };
  const typed = (chunk: Buffer) => {
    if (QUIT_KEYS.has(chunk.toString('latin1'))) leave();
  };
  const keys = keyboard?.isTTY === true ? keyboard : null;
  for (const signal of SIGNALS) process.on(signal, leave);
  keys?.setRawMode?.(true); // so that keys are heard one by one and don't appear on the screen
  keys?.on('data', typed);
  keys?.resume();
  try {
    return await work(left.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, leave);
    keys?.off('data', typed);
    keys?.setRawMode?.(false);
    keys?.pause();
  }
}
