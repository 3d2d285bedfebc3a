/**
 * The key distributions of simulated buckets. Each shape computes the i-th of n keys in byte order, so that a bucket of any size needs no
 * memory and supports random access. Sizes and hashes are drawn at random, so no shape is more regular than a real one.
 */
import { type Bucket, bucketOf, type Group } from './bucket.ts';
import { clusters, dates, heavy, hive, tenants } from './shapes/folders.ts';
import { tree, unicode } from './shapes/people.ts';
import { flat, hex, links, numbers, ulid } from './shapes/plain.ts';
import { mail, tiles } from './shapes/unseen.ts';
import { wild } from './shapes/wild.ts';

const shapes = {
  dates,
  hex,
  hive,
  flat,
  numbers,
  heavy,
  tenants,
  unicode,
  clusters,
  ulid,
  links,
  tree,
  mail,
  tiles,
  wild,
} satisfies Record<string, (count: number, seed: number) => Group[]>;

export type Shape = keyof typeof shapes;

export const SHAPES = Object.keys(shapes) as readonly Shape[];

export function isShape(name: string): name is Shape {
  return Object.hasOwn(shapes, name);
}

export function makeBucket(shape: Shape, count: number, seed: number): Bucket {
  return bucketOf(shapes[shape](count, seed));
}
