import type { ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import type { AzureAccess, AzureCredential } from './azure-access.ts';

/** The provider's packages are loaded here, with the first request. */
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
  return new sdk.ContainerClient(url, await signer(sdk, account, credential), options);
}

async function signer(
  sdk: typeof import('@azure/storage-blob'),
  account: string,
  credential: AzureCredential,
): Promise<StorageSharedKeyCredential | InstanceType<typeof sdk.AnonymousCredential> | Chain> {
  if (credential.kind === 'key') return new sdk.StorageSharedKeyCredential(account, credential.key);
  if (credential.kind !== 'chain') return new sdk.AnonymousCredential();
  const { DefaultAzureCredential } = await import('@azure/identity');
  return new DefaultAzureCredential();
}

type Chain = InstanceType<typeof import('@azure/identity').DefaultAzureCredential>;
