import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddressScope, addressScope } from './address.ts';

/** Public ranges, independent of the code's own lists: /8 networks without special-purpose ranges. */
const PLAIN_EIGHTS = [1, 8, 9, 23, 44, 52, 93, 104, 142, 185, 216];

describe('an address that a webhook may reach', () => {
  it.each<[string, AddressScope]>([
    ['93.184.215.14', 'public'],
    ['172.15.255.255', 'public'],
    ['172.32.0.0', 'public'],
    ['100.63.255.255', 'public'],
    ['100.128.0.0', 'public'],
    ['223.255.255.255', 'public'],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'public'],
    ['2a00:1450:4001:82f::200e', 'public'],
  ])('%s is %s', (address, reach) => expect(addressScope(address)).toBe(reach));

  it.each<[string, AddressScope]>([
    ['127.0.0.1', 'private'],
    ['127.255.255.254', 'private'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['::1', 'private'],
    ['fc00::1', 'private'],
    ['fdff:ffff::1', 'private'],
  ])('%s, loopback or private, is %s', (address, reach) => expect(addressScope(address)).toBe(reach));

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '::127.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '2002:7f00:1::1',
    '2001:0:1::1',
    '2001:db8::1',
    '3fff::1',
    'not an address',
    '',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
  ])('%j is never reached', (address) => expect(addressScope(address)).toBe('never'));

  it('behind a translation to IPv4 is what the IPv4 address is', () => {
    expect(addressScope('64:ff9b::8.8.8.8')).toBe('public');
    expect(addressScope('64:ff9b::808:808')).toBe('public');
    expect(addressScope('64:ff9b::10.0.0.1')).toBe('private');
    expect(addressScope('64:ff9b::a9fe:a9fe')).toBe('never');
    expect(addressScope('64:ff9b::')).toBe('never');
  });

  it('is any of the ordinary networks', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const address = fc.tuple(fc.constantFrom(...PLAIN_EIGHTS), octet, octet, octet);
    fc.assert(fc.property(address, (parts) => addressScope(parts.join('.')) === 'public'));
  });

  it('is none that carries an IPv4 address in the last bits of a mapped one', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(
        fc.tuple(octet, octet, octet, octet),
        (parts) => addressScope(`::ffff:${parts.join('.')}`) === 'never',
      ),
    );
  });
});
