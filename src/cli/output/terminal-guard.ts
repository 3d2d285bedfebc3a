/**
 * The last line of defence before the terminal. Names, server messages and configuration values are escaped where they are put into a line
 * (visible.ts, displayKey). Anything missed there is escaped here, because an escape sequence can rewrite what was shown, set the title or
 * fill the clipboard. Only the progress line and the alternate screen move the cursor, through `unguarded`.
 */
import type { Writable } from 'node:stream';
import { redactCredentials } from '../../base/redact.ts';
import { terminalText } from './visible.ts';

type Write = Writable['write'];

const originals = new WeakMap<Writable, Write>();

/** Standard output to a file or pipe carries data and is not guarded. Standard error is always guarded. */
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
