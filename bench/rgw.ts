/** The S3 server of a run, and buckets of text in it. */
import { Random } from '../examples/generator/random.ts';
import { type Rgw, startRgw, whyNoRgw } from '../test/support/servers/rgw.ts';
import { freshBucket } from '../test/support/servers/s3-bucket.ts';
import type { Bench } from './benchmark.ts';
import { KINDS } from './corpus/lines.ts';
import { plantedSentence } from './corpus/planted.ts';
import { count, megabytes, seconds } from './figures.ts';

export interface BucketPlan {
  readonly objects: number;
  /** Bytes of each. */
  readonly size: number;
  /** How many of the lines hold a value. */
  readonly plantedRate: number;
}

export interface MadeBucket {
  readonly name: string;
  readonly target: string;
  readonly keys: readonly string[];
  readonly objects: number;
  readonly bytes: number;
}

const FOLDER_OBJECTS = 1000;
const AT_ONCE = 500;

/** Null, and a word about it, when there can be none here. It ends with this process. */
export function sharedRgw(bench: Bench): Promise<Rgw | null> {
  return bench.shared('rgw', async () => {
    const missing = await whyNoRgw();
    if (missing === null) return startRgw();
    bench.log(`  skipped: ${missing}`);
    return null;
  });
}

export async function makeBucket(bench: Bench, rgw: Rgw, plan: BucketPlan): Promise<MadeBucket> {
  const bucket = await freshBucket(rgw);
  const random = new Random(bench.seed, 'bucket');
  const began = performance.now();
  let bytes = 0;
  for (let first = 0; first < plan.objects; first += AT_ONCE) {
    const some = new Map<string, string>();
    for (let n = first; n < Math.min(plan.objects, first + AT_ONCE); n++) {
      const text = textOf(n, plan, random);
      some.set(nameOf(n), text);
      bytes += text.length;
    }
    await bucket.putAll(some);
  }
  const took = (performance.now() - began) / 1000;
  bench.log(`  (bucket of ${count(plan.objects)} objects, ${megabytes(bytes)}, filled in ${seconds(took)})`);
  const keys = Array.from({ length: plan.objects }, (_, n) => nameOf(n));
  return { name: bucket.name, target: `s3://${bucket.name}`, keys, objects: plan.objects, bytes };
}

/** How a process reaches the server, or a proxy before it. */
export function s3Environment(rgw: Rgw, endpoint = rgw.endpoint): Record<string, string> {
  return {
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: rgw.accessKeyId,
    AWS_SECRET_ACCESS_KEY: rgw.secretAccessKey,
  };
}

function nameOf(n: number): string {
  const folder = String(Math.floor(n / FOLDER_OBJECTS)).padStart(3, '0');
  return `team-${folder}/file-${String(n).padStart(6, '0')}.${kindOf(n).extension}`;
}

function kindOf(n: number) {
  return KINDS[n % KINDS.length]!;
}

/** Large ones repeat a block of 64 KB: generating them must not take longer than reading them. */
function textOf(n: number, { size, plantedRate }: BucketPlan, random: Random): string {
  const kind = kindOf(n);
  const blockSize = Math.min(size, 1 << 16);
  let text = kind.head;
  while (text.length < blockSize) {
    const plants = random.chance(plantedRate);
    text += `${plants ? kind.holding(plantedSentence(random), random) : kind.line(random)}\n`;
  }
  return text.repeat(Math.ceil(size / text.length)).slice(0, size);
}
