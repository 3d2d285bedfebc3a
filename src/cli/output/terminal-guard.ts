/**
 * The last place before the terminal. Names, messages of servers and configuration values are escaped where they are put into a line
 * (visible.ts, displayKey); what was forgotten there is escaped here, because an escape sequence can rewrite what was shown, set the title
 * or fill the clipboard. Only the progress line and the second screen move the cursor, by way of `unguarded`.
 */
import type { Writable } from 'node:stream';
import { redactCredentials } from '../../base/redact.ts';
import { terminalText } from './visible.ts';

type Write = Writable['write'];

const originals = new WeakMap<Writable, Write>();

/** Standard output may be a file or a pipe, and then carries data as it is. Standard error is for people, wherever it goes. */
export function guardTerminal(stream: Writable, guarded = true): void {
  if (!guarded || originals.has(stream)) return;
  const original = stream.write.bind(stream) as Write;
  originals.set(stream, original);
  stream.write = ((chunk: unknown, ...rest: never[]) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString();
    return original(terminalText(redactCredentials(text)), ...rest);
  }) as Write;
}

export function unguarded(stream: Writable): (text: string) => boolean {
  const original = originals.get(stream);
  return (text) => (original ?? stream.write.bind(stream))(text);
}
