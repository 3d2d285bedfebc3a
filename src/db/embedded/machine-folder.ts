import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What belongs to the machine, not to a user, and must be reachable for an account without rights: used by root only.
 * Others may pass through, whatever the umask says, but not look around; what lies inside protects itself.
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
