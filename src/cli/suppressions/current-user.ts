import { hostname, userInfo } from 'node:os';

/** Who types, for the record. */
export function currentUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}@${hostname()}`; // an account without a name, as in containers
  }
}
