import { statfsSync } from 'node:fs';

/**
 * File systems of which one kernel at a time has the disk: whoever has mounted a folder there, in whatever container, can be reached by its
 * sockets. By the magic numbers of statfs(2).
 */
const LOCAL = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x2fc12fc1, // zfs
  0xf2f52010, // f2fs
  0xca451a4e, // bcachefs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs: what is written lies on one of the others
]);

/** False when it may be shared with other hosts, or is not known. */
export function isLocalStorage(folder: string): boolean {
  return process.platform === 'linux' && LOCAL.has(statfsSync(folder).type);
}
