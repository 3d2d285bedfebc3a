import { describe, expect, it } from 'vitest';
import { parseAzureTarget } from './azure/azure-target.ts';
import { parseGcsTarget } from './gcs/gcs-target.ts';
import { parseS3Target } from './s3/s3-target.ts';

/** Keys of S3 and Azure may contain slashes, so that the host part is only a piece of them. */
const CREDENTIALS = ['AKIAEXAMPLE:wJalrXUtnFEMI', 'AKIAEXAMPLE:wJalrXUtnFEMI/K7MDENG/bPx', 'wJalrXUtnFEMI'];
const PARSERS = { s3: parseS3Target, gs: parseGcsTarget, az: parseAzureTarget };

function messageFor(scheme: keyof typeof PARSERS, target: string): string {
  try {
    PARSERS[scheme](target);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
}

describe.each(['s3', 'gs', 'az'] as const)('credentials in a target of %s', (scheme) => {
  it.each(CREDENTIALS)('%s@ are rejected and not repeated', (credentials) => {
    for (const place of [`${credentials}@bucket/x`, `account/${credentials}@bucket/x`]) {
      if (scheme !== 'az' && place.startsWith('account')) continue; // there it is a prefix like any other
      const message = messageFor(scheme, `${scheme}://${place}`);
      expect(message).toMatch(/cannot be the name|is not valid/);
      expect(message).not.toContain('wJalr');
    }
  });
});
