import { describe, expect, it } from 'vitest';
import { parseS3Target } from './s3-target.ts';

describe('an S3 target', () => {
  it.each([
    ['s3://bucket', 'bucket', ''],
    ['s3://bucket/', 'bucket', ''],
    ['s3://bucket/hr', 'bucket', 'hr'],
    ['s3://bucket/hr/', 'bucket', 'hr/'],
    ['S3://my.bucket-1/a//b', 'my.bucket-1', 'a//b'],
    ['s3://bucket//x', 'bucket', '/x'],
    ['s3://Old_Bucket/x', 'Old_Bucket', 'x'],
    ['s3://bucket/a b?c#d%20e+f', 'bucket', 'a b?c#d%20e+f'],
    ['s3://bucket/größe\n😀', 'bucket', 'größe\n😀'],
  ])('%j names the bucket and the prefix', (target, bucket, prefix) => {
    expect(parseS3Target(target)).toEqual({ bucket, prefix });
  });

  it.each([
    's3://',
    's3:///key',
    's3://b',
    's3://-bucket',
    's3://buc ket/x',
    's3://user@bucket',
    's3://bucket:9000/x',
    's3://bucket/\ud800',
  ])('%j is refused, and it is said what to write', (target) => {
    const hint = expect.stringContaining('s3://BUCKET/PREFIX');
    expect(() => parseS3Target(target)).toThrow(expect.objectContaining({ kind: 'usage', hint }));
  });
});
