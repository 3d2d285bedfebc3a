/**
 * For processes started by `seine partitions start`. Their standard input is a pipe of the supervisor, which the system closes when the
 * supervisor exits, even if it was killed.
 */
const SUPERVISED = 'SEINE_SUPERVISED';

export const supervisedEnvironment = { [SUPERVISED]: '1' };

/** Aborted when the supervisor has exited; never if there is none. */
export function supervisorGone(): AbortSignal {
  const gone = new AbortController();
  if (!process.env[SUPERVISED]) return gone.signal;
  const stdin = process.stdin.on('error', () => gone.abort()).once('end', () => gone.abort());
  stdin.resume();
  if ('unref' in stdin) stdin.unref(); // must not keep the process alive
  return gone.signal;
}
