import { describe, expect, it } from 'vitest';
import { AllowList } from './allow-list.ts';
import { type Address, type AddressPolicy, resolveAllowed } from './resolve.ts';

const answering =
  (...addresses: string[]) =>
  async (): Promise<Address[]> =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const guard = (more: Partial<AddressPolicy> = {}): AddressPolicy => ({
  allowPrivate: false,
  allow: new AllowList([]),
  resolve: answering('93.184.215.14'),
  ...more,
});

const refusal = { kind: 'permission', retry: false };

describe('the host of a webhook', () => {
  it('gives the addresses that the connection must use', async () => {
    expect(await resolveAllowed('hooks.example.com', guard())).toEqual([
      { address: '93.184.215.14', family: 4 },
    ]);
  });

  it('is refused when its name leads to a private address', async () => {
    const promise = resolveAllowed('hooks.example.com', guard({ resolve: answering('10.0.0.8') }));
    await expect(promise).rejects.toMatchObject({ ...refusal, message: expect.stringContaining('10.0.0.8') });
  });

  it('is refused when only one of its addresses is private', async () => {
    const mixed = answering('93.184.215.14', '::ffff:127.0.0.1');
    await expect(resolveAllowed('hooks.example.com', guard({ resolve: mixed }))).rejects.toMatchObject(
      refusal,
    );
  });

  it('is not resolved when it is an address', async () => {
    const resolve = () => Promise.reject(new Error('asked'));
    await expect(resolveAllowed('127.0.0.1', guard({ resolve }))).rejects.toMatchObject(refusal);
    expect(await resolveAllowed('8.8.8.8', guard({ resolve }))).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });

  it.each([
    'http://2130706433/',
    'http://0x7f000001/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://0/',
    'http://①②⑦.0.0.1/',
    'http://127.0.0.1./',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:7f00:1]/',
    'http://[::]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
  ])('is refused in every spelling of a forbidden address: %s', async (url) => {
    const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
    await expect(resolveAllowed(host, guard({ resolve: answering('127.0.0.1') }))).rejects.toMatchObject(
      refusal,
    );
  });

  it('may be private where that is allowed, but no metadata service', async () => {
    const allowed = guard({ allowPrivate: true, resolve: answering('10.0.0.8') });
    expect(await resolveAllowed('tickets.internal', allowed)).toHaveLength(1);
    await expect(resolveAllowed('169.254.169.254', allowed)).rejects.toMatchObject(refusal);
    await expect(resolveAllowed('0.0.0.0', allowed)).rejects.toMatchObject(refusal);
  });

  it('may be what a list names: a host, an address, a network', async () => {
    const allow = new AllowList(['Tickets.Internal', '10.1.0.0/16', '169.254.7.7', 'fd12::/16']);
    const named = guard({ allow, resolve: answering('10.9.9.9') });
    expect(await resolveAllowed('tickets.internal.', named)).toHaveLength(1);
    await expect(resolveAllowed('others.internal', named)).rejects.toMatchObject(refusal);
    for (const address of ['10.1.255.1', '169.254.7.7', 'fd12::1']) {
      expect(await resolveAllowed(address, named)).toHaveLength(1);
    }
    for (const address of ['10.2.0.1', '169.254.169.254', 'fd13::1']) {
      await expect(resolveAllowed(address, named)).rejects.toMatchObject(refusal);
    }
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/x',
    'fd00::/129',
    'http://tickets.internal',
    '',
    '10.0.0/8',
  ])('cannot be allowed by the entry %j', (entry) => {
    expect(() => new AllowList([entry])).toThrow(expect.objectContaining({ kind: 'usage', retry: true }));
  });

  it('is tried again when its name cannot be resolved now', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'EAI_AGAIN' }));
    await expect(resolveAllowed('hooks.example.com', guard({ resolve }))).rejects.toMatchObject({
      retry: true,
    });
    await expect(resolveAllowed('hooks.example.com', guard({ resolve: answering() }))).rejects.toMatchObject({
      retry: true,
    });
  });
});
