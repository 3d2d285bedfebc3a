import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { codeOf, SeineError } from '../../../base/errors.ts';
import { addressScope } from './address.ts';
import type { AllowList } from './allow-list.ts';

export interface Address {
  readonly address: string;
  readonly family: number;
}

export type Resolve = (host: string) => Promise<readonly Address[]>;

export interface AddressPolicy {
  readonly allowPrivate: boolean;
  readonly allow: AllowList;
  readonly resolve?: Resolve | undefined;
}

/**
 * Resolves a host; all its addresses must be allowed. The caller must connect to one of these and not
 * resolve the name again: against DNS rebinding, where the next response contains another address.
 */
export async function resolveAllowed(host: string, reachable: AddressPolicy): Promise<readonly Address[]> {
  const addresses = await addressesOf(host, reachable.resolve ?? systemResolve);
  if (reachable.allow.host(host)) return addresses;
  const refused = addresses.find(({ address }) => !isAllowed(address, reachable));
  if (refused === undefined) return addresses;
  const what = refused.address === host ? host : `${host} (${refused.address})`;
  throw new SeineError('permission', `The webhook must not use ${what}: not a public address.`, {
    hint: 'Private addresses must be allowed: allow_private: true, or SEINE_WEBHOOK_ALLOW=host,10.0.0.0/8.',
  });
}

function isAllowed(address: string, { allowPrivate, allow }: AddressPolicy): boolean {
  const reach = addressScope(address);
  return reach === 'public' || (reach === 'private' && allowPrivate) || allow.address(address);
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly Address[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new SeineError(
      'unavailable',
      `The name ${host} could not be resolved (${codeOf(error) ?? 'no answer'}).`,
      {
        cause: error,
      },
    );
  });
  if (addresses.length === 0) throw new SeineError('unavailable', `The name ${host} has no address.`);
  return addresses;
}

function systemResolve(host: string): Promise<readonly Address[]> {
  return lookup(host, { all: true });
}
