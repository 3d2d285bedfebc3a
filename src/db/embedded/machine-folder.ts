import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Belongs to the machine, not to a user, and must be accessible for an account without privileges: used by
 * root only. Others may traverse it, whatever the umask, but not list it; its contents have their own
 * permissions.
 */
export const MACHINE_FOLDER = '/var/lib/seine';

export function machineFolder(name = ''): string {
  if (name !== '') machineFolder();
  const folder = join(MACHINE_FOLDER, name);
  if (mkdirSync(folder, { recursive: true, mode: 0o711 }) || (statSync(folder).mode & 0o111) !== 0o111) {
    chmodSync(folder, 0o711);
  }
  return folder;
}
