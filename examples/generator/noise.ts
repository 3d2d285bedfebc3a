/** Images without text: a scan that does not run OCR must report them as not inspected. */
import type { Random } from './random.ts';
import type { Share } from './share.ts';
import { png } from './writers/lettering.ts';

export function addNoise(share: Share, random: Random): void {
  share.addBytes('images/otter-logo.png', noise(random, 16));
  share.addBytes('images/boot-wall.png', noise(random, 24));
}

function noise(random: Random, size: number): Buffer {
  return png(random.times(size, () => Buffer.from(random.times(size, () => random.int(0, 255)))));
}
