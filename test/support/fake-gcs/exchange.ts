/** The token service of the GCS stand-in: a credential of another house is exchanged for a token, as in workload identity federation. */
import { type Answer, jsonAnswer } from './answer.ts';
import { GOOD_TOKEN } from './authorize.ts';
import type { Call } from './call.ts';

export const GOOD_SUBJECT = 'subject-of-another-house';

export async function exchangeToken(call: Call): Promise<Answer> {
  const form = new URLSearchParams((await call.body()).toString());
  if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:token-exchange') {
    return jsonAnswer(400, { error: 'unsupported_grant_type' });
  }
  if (form.get('subject_token') !== GOOD_SUBJECT) {
    return jsonAnswer(400, { error: 'invalid_grant', error_description: 'The subject token is not valid.' });
  }
  const issued_token_type = 'urn:ietf:params:oauth:token-type:access_token';
  return jsonAnswer(200, {
    access_token: GOOD_TOKEN,
    issued_token_type,
    token_type: 'Bearer',
    expires_in: 3600,
  });
}

/** What `gcloud iam workload-identity-pools create-cred-config` would write. */
export function keyFileFor(endpoint: string, subjectFile: string): string {
  return JSON.stringify({
    type: 'external_account',
    audience:
      '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/provider',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${endpoint}/v1/token`,
    credential_source: { file: subjectFile },
  });
}
