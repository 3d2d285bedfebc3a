import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { CONTENT, startThreeStores } from './three-stores.fixture.ts';
import { storesAt, useStores } from './use-stores.fixture.ts';

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1');

describe.skipIf(!hasIpv6)('an endpoint that is an IPv6 address (skipped where there is no ::1)', () => {
  it('can be read from and written to in S3, Azure and Google', async () => {
    await using stores = await startThreeStores({ host: '::1' });
    const origin = `http://[::1]:${stores.port}`;
    const targets = storesAt({ s3: origin, azure: origin, gcs: origin });
    expect(await useStores(targets)).toEqual([CONTENT, CONTENT, CONTENT]);
    expect([...stores.written.keys()].sort()).toEqual([
      '/acct/box/out/written',
      '/box/out/written',
      'out/written',
    ]);
    for (const { headers } of stores.requests) expect(headers.host).toBe(`[::1]:${stores.port}`);
  });
});
