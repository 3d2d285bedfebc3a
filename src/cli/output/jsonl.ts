import type { Writable } from 'node:stream';
import type { Finding } from '../../scans/finding.ts';
import { findingJson } from '../../scans/finding-json.ts';
import { pour } from './pour.ts';

export async function writeJsonl(findings: AsyncIterable<Finding>, out: Writable): Promise<void> {
  await pour(lines(findings), out);
}

async function* lines(findings: AsyncIterable<Finding>): AsyncGenerator<string> {
  for await (const finding of findings) yield `${JSON.stringify(findingJson(finding))}\n`;
}
