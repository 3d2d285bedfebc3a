import type { Writable } from 'node:stream';
import type { Finding } from '../../scans/results/finding.ts';
import { findingJson } from '../../scans/results/finding-json.ts';
import { writeChunks } from './write-chunks.ts';

export async function writeJsonl(findings: AsyncIterable<Finding>, out: Writable): Promise<void> {
  await writeChunks(lines(findings), out);
}

async function* lines(findings: AsyncIterable<Finding>): AsyncGenerator<string> {
  for await (const finding of findings) yield `${JSON.stringify(findingJson(finding))}\n`;
}
