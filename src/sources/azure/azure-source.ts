import { ensureComponent } from '../../base/components/install-component.ts';
import type { Access } from '../access.ts';
import type { ScopeOptions } from '../scope-options.ts';
import type { Source } from '../source.ts';
import { createStoreSource } from '../store/store-source.ts';
import { accessOf } from './azure-access.ts';
import { createAzureClient } from './azure-client.ts';
import { parseAzureTarget } from './azure-target.ts';

/** `az://ACCOUNT/CONTAINER/PREFIX`: every blob whose name begins with the prefix. Sends no request. */
export function createAzureSource(target: string, scope: ScopeOptions, access: Access): Source {
  const parsed = parseAzureTarget(target);
  return createStoreSource(createAzureClient(parsed, accessOf(parsed, access.settings ?? {})), scope, access);
}

/** Installs the provider's package if the credential needs it: that takes too long within a request. */
export async function prepareAzure(target: string, { settings = {} }: Access): Promise<void> {
  const { credential } = accessOf(parseAzureTarget(target), settings);
  if (credential.kind === 'chain') await ensureComponent('azure');
}
