/**
 * Spools a stream for random access: in memory while it is short, else in a file of the scratch folder that is unlinked as soon as it is
 * open, so that nothing is left behind however the process ends.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RandomAccess } from '../document-item.ts';
import { LimitExceeded } from '../extraction-error.ts';
import { memoryAccess } from './random-access.ts';

const IN_MEMORY = 32 * 1024 * 1024;

export interface Spooled extends RandomAccess {
  close(): Promise<void>;
}

/** `most` bytes; a process that may not write has only memory. */
export async function spool(
  chunks: AsyncIterable<Uint8Array>,
  max: number,
  inMemory = IN_MEMORY,
): Promise<Spooled> {
  const buffered: Uint8Array[] = [];
  let file: FileHandle | null = null;
  let size = 0;
  try {
    for await (const chunk of chunks) {
      if (size + chunk.length > max) throw new LimitExceeded('document size');
      if (file === null && size + chunk.length > inMemory) {
        file = await nameless();
        await write(file, buffered.splice(0));
      }
      size += chunk.length;
      if (file === null)
        buffered.push(Buffer.from(chunk)); // a copy; the slice of a Buffer is none
      else await write(file, [chunk]);
    }
  } catch (error) {
    await file?.close();
    throw error;
  }
  return file === null ? inMemoryOnly(buffered) : inFile(file, size);
}

async function nameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `seine-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function write(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) from += (await file.write(chunk, from)).bytesWritten;
  }
}

function inMemoryOnly(buffered: readonly Uint8Array[]): Spooled {
  return {
    ...memoryAccess(buffered.length === 1 ? buffered[0]! : Buffer.concat(buffered)),
    close: async () => {},
  };
}

function inFile(file: FileHandle, size: number): Spooled {
  return {
    size,
    async read(from, to) {
      const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from));
      for (let at = 0; at < bytes.length; ) {
        const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      return bytes;
    },
    close: () => file.close(),
  };
}
