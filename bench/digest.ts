/** The findings of a scan as one number: two scans that found the same have the same one. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

export interface Digest {
  readonly sha256: string;
  readonly findings: number;
}

/** SHA-256 of the sorted lines of a JSONL report, without the number of the scan. */
export async function digestOf(jsonl: string): Promise<Digest> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(jsonl) })) {
    const { scan: _, handle: __, ...finding } = JSON.parse(line) as Record<string, unknown>;
    lines.push(JSON.stringify(finding));
  }
  const hash = createHash('sha256');
  for (const line of lines.sort()) hash.update(`${line}\n`);
  return { sha256: hash.digest('hex'), findings: lines.length };
}
