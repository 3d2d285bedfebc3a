/**
 * Which addresses a webhook may reach. Its address comes from settings that many people may be able to
 * write, and it is requested from inside the network: without this guard it could be used for server-side
 * request forgery (SSRF), such as against a cloud's metadata service or a database. Only known public
 * addresses are allowed.
 */
import { BlockList, isIP } from 'node:net';

/** `private` can be allowed as a whole; `never` only by naming the address. */
export type AddressScope = 'public' | 'private' | 'never';

export function addressScope(address: string): AddressScope {
  const family = isIP(address);
  if (family === 4) return addressScope4(address);
  return family === 6 ? addressScope6(address) : 'never';
}

const PRIVATE_4 = networks('ipv4', [
  '10.0.0.0/8',
  '100.64.0.0/10', // shared address space (RFC 6598)
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
]);

const NEVER_4 = networks('ipv4', [
  '0.0.0.0/8', // "this" machine: connects to loopback
  '100.100.100.200/32', // a metadata service in the shared network
  '169.254.0.0/16', // link-local, and the metadata services in it
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

function addressScope4(address: string): AddressScope {
  if (NEVER_4.check(address)) return 'never';
  return PRIVATE_4.check(address) ? 'private' : 'public';
}

const PRIVATE_6 = networks('ipv6', ['::1/128', 'fc00::/7']);
const METADATA_6 = networks('ipv6', ['fd00:ec2::254/128', 'fd20:ce::254/128']);
const PUBLIC_6 = networks('ipv6', ['2000::/3']);
/**
 * Special-purpose ranges within the public ones: tunnels that carry another address, protocol and
 * documentation ranges.
 */
const SPECIAL_6 = networks('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);
const NAT64 = networks('ipv6', ['64:ff9b::/96']);

function addressScope6(address: string): AddressScope {
  if (address.includes('%')) return 'never'; // link-local, with a zone
  if (NAT64.check(address, 'ipv6')) return addressScope4(lastFour(address));
  if (METADATA_6.check(address, 'ipv6')) return 'never';
  if (PRIVATE_6.check(address, 'ipv6')) return 'private';
  return PUBLIC_6.check(address, 'ipv6') && !SPECIAL_6.check(address, 'ipv6') ? 'public' : 'never';
}

/** The IPv4 address in the last 32 bits. */
function lastFour(address: string): string {
  const dotted = /\d+\.\d+\.\d+\.\d+$/.exec(address)?.[0];
  if (dotted !== undefined) return dotted;
  // The URL parser normalises every IPv6 address to its shortest hexadecimal form.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2);
  const [high = 0, low = 0] = groups.map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function networks(family: 'ipv4' | 'ipv6', list: readonly string[]): BlockList {
  const block = new BlockList();
  for (const network of list) {
    const [address, bits] = network.split('/');
    block.addSubnet(address!, Number(bits), family);
  }
  return block;
}
