import { DEFAULT_LIMITS, type ExtractionLimits } from '../../budget/limits.ts';
import { Collector, type Extracted } from '../../extraction.fixture.ts';
import type { PartTarget, PushParser } from '../../push-parser.ts';

export interface WithAttachments extends Extracted {
  readonly attachments: readonly { name: string; text: string }[];
}

/** A mail or mailbox in chunks that are written over, with what it holds: taken whenever no text is open. */
export function viaParser(
  createParser: (target: PartTarget, limits: ExtractionLimits) => PushParser,
  bytes: Uint8Array,
  sizes: readonly number[] = [bytes.length],
  limits: ExtractionLimits = DEFAULT_LIMITS,
): WithAttachments {
  const sink = new Collector();
  const parser = createParser({ part: null, start: 0, sink }, limits);
  const attachments: { name: string; text: string }[] = [];
  const takeAttachments = () => {
    for (const { name, bytes } of parser.takeAttachments?.() ?? [])
      attachments.push({ name, text: Buffer.concat(bytes).toString('latin1') });
  };
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const chunk = Buffer.from(bytes.subarray(at, at + Math.max(1, sizes[n % sizes.length] ?? 1)));
    parser.push(chunk);
    at += chunk.length;
    chunk.fill(0x21);
    if (parser.open !== true) takeAttachments();
  }
  const result = parser.end();
  if (parser.open === true) throw new Error('open after its end');
  takeAttachments();
  return { result, parts: sink.parts, attachments };
}

export function crlf(...lines: string[]): Buffer {
  return Buffer.from(lines.join('\r\n'));
}

export const HEAD = ['From: ann@example.com', 'To: bob@example.com', 'Subject: x'];

export function multipart(...parts: string[][]): Buffer {
  return crlf(
    ...HEAD,
    'Content-Type: multipart/mixed; boundary="b 1"',
    '',
    ...parts.flatMap((part) => ['--b 1', ...part]),
    '--b 1--',
    '',
  );
}

/** As the lines of a part. */
export function attached(
  name: string | null,
  content: string | Uint8Array,
  type = 'application/octet-stream',
): string[] {
  const data = Buffer.from(content).toString('base64');
  return [
    `Content-Type: ${type}`,
    `Content-Disposition: attachment${name === null ? '' : `; filename="${name}"`}`,
    'Content-Transfer-Encoding: base64',
    '',
    ...(data.match(/.{1,76}/g) ?? []),
  ];
}
