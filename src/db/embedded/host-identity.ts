import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';

/**
 * Where a process runs: sufficient to decide whether another process would be visible from here, and
 * whether a machine has rebooted.
 */
export interface HostIdentity {
  readonly host: string;
  /**
   * Machine id of the installation; empty in many containers, and equal on cloned machines, so it proves
   * nothing alone.
   */
  readonly machine: string;
  /** Boot id: differs after each boot, the same for all containers of a kernel. Empty where not available. */
  readonly boot: string;
  /** Process ids are only meaningful within it. Empty where not available. */
  readonly pidNamespace: string;
}

export function hostIdentity(): HostIdentity {
  return {
    host: hostname(),
    machine: readText('/etc/machine-id'),
    boot: readText('/proc/sys/kernel/random/boot_id'),
    pidNamespace: readLink('/proc/self/ns/pid'),
  };
}

/** By this machine's clock, in milliseconds. */
export function bootedAt(): number {
  return Date.now() - uptime() * 1000;
}

/** Sockets of one are reachable for the other, if the paths are. */
export function sameKernel(a: HostIdentity, b: HostIdentity): boolean {
  return a.boot === b.boot && (a.boot !== '' || a.host === b.host);
}

/** Each is visible in the other's process list. */
export function sameProcesses(a: HostIdentity, b: HostIdentity): boolean {
  return sameKernel(a, b) && a.pidNamespace === b.pidNamespace;
}

export function sameMachine(a: HostIdentity, b: HostIdentity): boolean {
  return a.host === b.host && a.machine === b.machine;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
