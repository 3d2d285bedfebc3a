import { statfsSync } from 'node:fs';

/**
 * File systems that only one kernel at a time can mount: all containers that have mounted a folder there
 * can be reached by its sockets. By the magic numbers of statfs(2).
 */
const LOCAL = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x2fc12fc1, // zfs
  0xf2f52010, // f2fs
  0xca451a4e, // bcachefs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs: files are on one of the others
]);

/** Returns false when it may be shared with other hosts, or is unknown. */
export function isLocalStorage(folder: string): boolean {
  return process.platform === 'linux' && LOCAL.has(statfsSync(folder).type);
}
