import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { agentsFor } from '../http/agents.ts';
import { checkedEndpoint } from '../http/endpoint.ts';
import type { SourceSettings } from '../settings.ts';

/** The provider's package, and a client for one region. Loaded on first use. */
export interface S3Connection {
  readonly sdk: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
  readonly region: string;
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** The endpoint from the settings or from the environment variables of the provider's own tools. Undefined: the provider. */
export function endpointOf(settings: SourceSettings): string | undefined {
  const given = settings.endpoint ?? process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
  return given ? checkedEndpoint(given, 'Write a URL, like http://127.0.0.1:7480.') : undefined;
}

/** `region`: as reported by the store; overrides the configured one. */
export async function connectS3(settings: SourceSettings, region?: string): Promise<S3Connection> {
  const sdk = await import('@aws-sdk/client-s3');
  const config = configOf(settings);
  const known = region ?? settings.region ?? (await regionOf(new sdk.S3Client(config), settings));
  return { sdk, client: new sdk.S3Client({ ...config, region: known }), region: known };
}

function configOf(settings: SourceSettings): S3ClientConfig {
  const endpoint = endpointOf(settings);
  const { http, https } = agentsFor('s3');
  return {
    // No retries by the SDK, so that every request passes the gate.
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { httpAgent: http, httpsAgent: https, connectionTimeout: 5000, logger: quiet },
    forcePathStyle: settings.pathStyle ?? endpoint !== undefined,
    ...(endpoint !== undefined && { endpoint }),
    ...(settings.profile !== undefined && { profile: settings.profile }),
    ...credentialsOf(settings),
  };
}

/** Empty unless the settings contain something: then the provider's default chain applies. */
function credentialsOf({ anonymous, credentials }: SourceSettings): S3ClientConfig {
  if (anonymous) {
    return {
      credentials: { accessKeyId: '', secretAccessKey: '' },
      signer: { sign: async (request) => request },
    };
  }
  const { accessKeyId, secretAccessKey, sessionToken } = credentials ?? {};
  if (accessKeyId === undefined || secretAccessKey === undefined) return {};
  return { credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } };
}

/** The region of the environment or the profile. Without one any region works, because the provider reports the right one. */
async function regionOf(client: S3Client, settings: SourceSettings): Promise<string> {
  if (settings.endpoint !== undefined) return 'us-east-1';
  try {
    return await client.config.region();
  } catch {
    return 'us-east-1';
  } finally {
    client.destroy();
  }
}
