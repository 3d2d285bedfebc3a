/**
 * Processes that another of ours started. They have its pipe as their standard input: when it is closed, the supervisor is gone, even if
 * it was killed and could tell nobody.
 */
const SUPERVISED = 'SEINE_SUPERVISED';

export const supervisedEnvironment = { [SUPERVISED]: '1' };

/** Never, if there is no supervisor. */
export function supervisorGone(): AbortSignal {
  const gone = new AbortController();
  if (!process.env[SUPERVISED]) return gone.signal;
  const stdin = process.stdin.on('error', () => gone.abort()).once('end', () => gone.abort());
  stdin.resume();
  if ('unref' in stdin) stdin.unref(); // it alone keeps no process alive
  return gone.signal;
}
