import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What belongs to the machine, not to a user, and must be reachable for an account without rights: used by root only.
 * Others may pass through (711) but not look around; what lies inside protects itself.
 */
export const MACHINE_FOLDER = '/var/lib/seine';

export function machineFolder(name = ''): string {
  const folder = join(MACHINE_FOLDER, name);
  if (existsSync(folder)) return folder;
  if (name !== '') machineFolder();
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
  return folder;
}
