/** A process like child.ts whose documents say what becomes of it: 'say hello', 'hang', 'exit', 'eat', 'stretch', 'fail', 'write', 'call'. */
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Documents } from '../documents.ts';
import type { Piece, RandomAccess } from '../piece.ts';
import { serveAlone } from './serve-alone.ts';

const documents: Documents = {
  async read({ document, input, inside }, around) {
    return (await around.pieces(played(input), inside)).reading(document);
  },
};

async function* played(input: RandomAccess): AsyncGenerator<Piece> {
  const script = Buffer.from(await input.read(0, 1024))
    .toString()
    .split('\n');
  for (const [i, line] of script.entries()) {
    const [verb, ...rest] = line.split(' ');
    if (verb === 'say') yield { is: 'text', place: `page ${i}`, text: Buffer.from(rest.join(' ')) };
    else await deeds[verb ?? '']?.(rest.join(' '));
  }
}

const deeds: Readonly<Record<string, (how: string) => unknown>> = {
  hang: () => {
    for (;;);
  },
  sleep: () => new Promise(() => setInterval(() => {}, 1000)),
  exit: () => process.exit(3),
  fail: () => (undefined as unknown as string).length,
  eat: () => {
    for (const eaten: Buffer[] = []; ; ) eaten.push(Buffer.alloc(16 * 1024 * 1024, 1));
  },
  devour: () => {
    for (const eaten: string[][] = []; ; ) eaten.push(Array.from({ length: 100_000 }, (_, i) => `text ${i}`));
  },
  stretch: () => 'long'.repeat(2 ** 28),
  write: (path) => writeFileSync(path, 'caught'),
  call: (port) => connect(Number(port)),
};

await serveAlone(documents);
