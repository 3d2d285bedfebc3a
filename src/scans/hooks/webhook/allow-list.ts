import { BlockList, isIP } from 'node:net';

/** Hosts, addresses and networks (`hooks.internal`, `10.1.2.3`, `10.1.0.0/16`) that may be reached although not public. */
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
      this.#hosts.add(plainHost(entry));
      return;
    }
    const most = family === 4 ? 32 : 128;
    this.#networks.addSubnet(
      address,
      bits === undefined ? most : Number(bits),
      family === 4 ? 'ipv4' : 'ipv6',
    );
  }
}

/** Names are compared without case and without the dot of the root. */
function plainHost(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
