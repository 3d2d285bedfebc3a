import type { ContainerClient } from '@azure/storage-blob';
import type { AzureAccess } from './azure-access.ts';

/** The provider's own client of a container, for writing. The packages are loaded here, with the first request. */
export async function connectAzure(
  { endpoint, account, credential }: AzureAccess,
  container: string,
): Promise<ContainerClient> {
  const sdk = await import('@azure/storage-blob');
  const query = credential.kind === 'sas' ? `?${credential.token}` : '';
  const url = `${endpoint}/${encodeURIComponent(container)}${query}`;
  const options = {
    // Each request is sent once, so that the gate sees them all.
    retryOptions: { maxTries: 1 },
    userAgentOptions: { userAgentPrefix: 'seine' },
  };
  if (credential.kind === 'key') {
    return new sdk.ContainerClient(url, new sdk.StorageSharedKeyCredential(account, credential.key), options);
  }
  if (credential.kind !== 'chain')
    return new sdk.ContainerClient(url, new sdk.AnonymousCredential(), options);
  const { DefaultAzureCredential } = await import('@azure/identity');
  return new sdk.ContainerClient(url, new DefaultAzureCredential(), options);
}
