import { describe, expect, it } from 'vitest';
import { messageOf, SeineError } from './errors.ts';
import { redactCredentials } from './redact.ts';

describe('credentials in a text', () => {
  it.each([
    ['s3://AKIAIOSFODNN7:wJalrXUtnFEMI/K7MDENG+bPx@bucket/a', 's3://•••@bucket/a'],
    ['"s3://AKIA:SECRET@" is no bucket', '"s3://•••@" is no bucket'],
    ['postgres://app:tr0ub@db:5432/main failed', 'postgres://•••@db:5432/main failed'],
    ['redis://:hunter2@cache:6379', 'redis://•••@cache:6379'],
    ['https://ghp_token@github.com/a', 'https://•••@github.com/a'],
    ['HTTP_PROXY=http://me:pw@proxy:3128', 'HTTP_PROXY=http://•••@proxy:3128'],
    [
      'https://a.blob.core.windows.net/c?sv=2024&sig=abc%2Bdef%3D&se=2030',
      'https://a.blob.core.windows.net/c?sv=2024&sig=•••&se=2030',
    ],
    [
      'https://b.s3/k?X-Amz-Credential=AKIA%2F2024&X-Amz-Date=1&X-Amz-Signature=ab&X-Amz-Security-Token=t',
      'https://b.s3/k?X-Amz-Credential=•••&X-Amz-Date=1&X-Amz-Signature=•••&X-Amz-Security-Token=•••',
    ],
    [
      'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=Zm9v==;EndpointSuffix=x',
      'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=•••;EndpointSuffix=x',
    ],
    [
      'SharedAccessSignature=sv=1&sig=x;BlobEndpoint=https://a',
      'SharedAccessSignature=•••;BlobEndpoint=https://a',
    ],
    ['host=db user=app password=hunter2 dbname=x', 'host=db user=app password=••• dbname=x'],
    ['Authorization: Bearer abc.def', 'Authorization: Bearer •••'],
    ['a s3://K:S@x and b s3://L:T@y', 'a s3://•••@x and b s3://•••@y'],
  ])('%s becomes %s', (text, expected) => {
    expect(redactCredentials(text)).toBe(expected);
  });

  it.each([
    's3://bucket/mail/john@example.com',
    'http://localhost:9000/bucket/john@example.com',
    'gs://bucket/a:b@c/d',
    'postgres://seine@db/main',
    'write it like postgres://user:password@host:5432/database',
    'worker.threads: 3 is more than 2 = the number of cores',
    'https://example.com/?page=2#sig',
    'the keyboard=layout monkey=7',
  ])('are not seen in %s', (text) => {
    expect(redactCredentials(text)).toBe(text);
  });

  it('take no longer than the text is long', () => {
    for (const part of ['s3://', 's3://a:', 'a=', '&sig=', 'authorization: ', 'x://y:z'])
      redactCredentials(part.repeat(200_000 / part.length));
  });
});

describe('the message of an error', () => {
  it('holds none, wherever the error came from', () => {
    const error = new SeineError('usage', 'No such target: s3://K:S3CR3T@b', {
      hint: 'Not s3://K:S3CR3T@b.',
    });
    expect(JSON.stringify([error.message, error.hint, error.stack])).not.toContain('S3CR3T');
    expect(messageOf(new Error('connect postgres://a:S3CR3T@b'))).toBe('connect postgres://•••@b');
    expect(messageOf('https://x/?token=S3CR3T')).toBe('https://x/?token=•••');
  });
});
