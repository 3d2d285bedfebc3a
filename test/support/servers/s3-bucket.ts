import { randomBytes } from 'node:crypto';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { SourceSettings } from '../../../src/sources/settings.ts';
import type { Rgw } from './rgw.ts';

/** Creates a bucket for a test. It is not removed: the server is discarded with its data. */
export interface Bucket {
  readonly name: string;
  readonly settings: SourceSettings;
  readonly client: S3Client;
  put(name: string, content: Uint8Array | string): Promise<void>;
  /** Many, several at a time. */
  putAll(contents: ReadonlyMap<string, Uint8Array | string>): Promise<void>;
  remove(name: string): Promise<void>;
  /** Everybody may list and read. */
  publish(): Promise<void>;
}

export async function freshBucket({ endpoint, ...credentials }: Omit<Rgw, 'stop'>): Promise<Bucket> {
  const name = `test-${randomBytes(6).toString('hex')}`;
  const client = new S3Client({
    endpoint,
    credentials,
    region: 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  await client.send(new CreateBucketCommand({ Bucket: name }));

  async function put(key: string, content: Uint8Array | string): Promise<void> {
    const Body = Buffer.from(content);
    await client.send(new PutObjectCommand({ Bucket: name, Key: key, Body, ContentLength: Body.length }));
  }

  return {
    name,
    settings: { endpoint, credentials },
    client,
    put,
    async putAll(contents) {
      const rest = contents.entries();
      const one = async () => {
        for (const [key, content] of rest) await put(key, content);
      };
      await Promise.all(Array.from({ length: 16 }, one));
    },
    remove: async (key) => void (await client.send(new DeleteObjectCommand({ Bucket: name, Key: key }))),
    publish: async () => void (await client.send(policyFor(name))),
  };
}

function policyFor(bucket: string): PutBucketPolicyCommand {
  const everybody = {
    Effect: 'Allow',
    Principal: '*',
    Action: ['s3:ListBucket', 's3:GetObject'],
    Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
  };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [everybody] });
  return new PutBucketPolicyCommand({ Bucket: bucket, Policy });
}
