import { BlockList, isIP } from 'node:net';
import { SeineError } from '../../../base/errors.ts';

/**
 * Hosts, addresses and networks (`hooks.internal`, `10.1.2.3`, `10.1.0.0/16`) that may be reached although
 * not public.
 */
export class AllowList {
  readonly #hosts = new Set<string>();
  readonly #networks = new BlockList();

  constructor(entries: readonly string[]) {
    for (const entry of entries) this.#add(entry.trim());
  }

  host(name: string): boolean {
    return this.#hosts.has(plainHost(name));
  }

  address(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#networks.check(address, family === 4 ? 'ipv4' : 'ipv6');
  }

  #add(entry: string): void {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    if (family === 0) {
      if (!/^[\w.-]+$/.test(entry)) throw wrong(entry);
      this.#hosts.add(plainHost(entry));
      return;
    }
    const maxBits = family === 4 ? 32 : 128;
    const length = bits === undefined ? maxBits : Number(bits);
    if (!Number.isInteger(length) || length < 0 || length > maxBits || bits === '') throw wrong(entry);
    this.#networks.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
  }
}

/** The operator of this process can fix it, so the hook does not fail permanently. */
function wrong(entry: string): SeineError {
  return new SeineError('usage', `"${entry}" is no network that webhooks could be allowed to reach.`, {
    hint: 'Write hosts, addresses or networks: tickets.internal, 10.1.2.3, 10.1.0.0/16.',
    retry: true,
  });
}

/** Normalises a name: lower case, without the root's dot. */
function plainHost(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
