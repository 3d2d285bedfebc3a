import { hostname, userInfo } from 'node:os';

/** The user who runs the command, for the audit fields. */
export function currentUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}@${hostname()}`; // an account without a name, as in containers
  }
}
