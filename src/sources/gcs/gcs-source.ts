import { ensureComponent } from '../../base/components/install-component.ts';
import type { Access } from '../access.ts';
import type { ScopeOptions } from '../scope-options.ts';
import type { Source } from '../source.ts';
import { createStoreSource } from '../store/store-source.ts';
import { accessOf } from './gcs-access.ts';
import { createGcsClient } from './gcs-client.ts';
import { parseGcsTarget } from './gcs-target.ts';

/** `gs://BUCKET/PREFIX`: every object whose name begins with the prefix. Sends no request. */
export function createGcsSource(target: string, scope: ScopeOptions, access: Access): Source {
  return createStoreSource(
    createGcsClient(parseGcsTarget(target), accessOf(access.settings ?? {})),
    scope,
    access,
  );
}

/** Installs the provider's package if the credential needs it: that takes too long within a request. */
export async function prepareGcs({ settings = {} }: Access): Promise<void> {
  const { kind } = accessOf(settings).credential;
  if (kind === 'keyFile' || kind === 'default') await ensureComponent('gcs');
}
