import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestCertificate } from './certificate.fixture.ts';

/** The token servers of AWS (STS), Microsoft (Entra ID) and Google, under their own names. */
export const TOKEN_HOSTS = [
  'sts.us-east-1.amazonaws.com',
  'login.microsoftonline.com',
  'oauth2.googleapis.com',
];

export interface TokenServers extends AsyncDisposable {
  readonly port: number;
}

export async function startTokenServers(certificate: TestCertificate): Promise<TokenServers> {
  const server = createServer(certificate, async (request, response) => {
    await request.toArray();
    answerFor(request.headers.host ?? '', request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerFor(host: string, { url = '' }: IncomingMessage, response: ServerResponse): void {
  if (host.startsWith('sts.')) return void response.end(STS);
  response.setHeader('content-type', 'application/json');
  const bearer = { access_token: `token of ${host}`, expires_in: 86_400, token_type: 'Bearer' };
  const tenant = `https://${host}/tenant`;
  if (url.includes('/discovery/instance')) {
    const metadata = [{ preferred_network: host, preferred_cache: host, aliases: [host] }];
    const tenant_discovery_endpoint = `${tenant}/v2.0/.well-known/openid-configuration`;
    response.end(JSON.stringify({ tenant_discovery_endpoint, 'api-version': '1.1', metadata }));
  } else if (url.includes('openid-configuration')) {
    const token_endpoint = `${tenant}/oauth2/v2.0/token`;
    const authorization_endpoint = `${tenant}/oauth2/v2.0/authorize`;
    const jwks_uri = `${tenant}/discovery/v2.0/keys`;
    response.end(
      JSON.stringify({ issuer: `${tenant}/v2.0`, token_endpoint, authorization_endpoint, jwks_uri }),
    );
  } else response.end(JSON.stringify(bearer));
}

const STS = `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>
<Credentials><AccessKeyId>ASIAKEY</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token of sts</SessionToken>
<Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;

/** The key file of a Google service account. */
export function serviceAccountFile(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return JSON.stringify({
    type: 'service_account',
    client_email: 'scanner@project.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: 'https://oauth2.googleapis.com/token',
  });
}
