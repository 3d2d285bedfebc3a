/** `--export`: replaces the file atomically, so that readers never see an incomplete one. */
import { randomBytes } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, messageOf, SeineError } from '../../../base/errors.ts';

export async function exportJson(path: string, value: unknown): Promise<void> {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  const there = await stat(path).catch(() => null);
  // Renaming over a device or a named pipe would replace it with a file.
  const special = there !== null && !there.isFile();
  const partial = special
    ? path
    : join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.partial`);
  try {
    await writeFile(partial, text, { mode: 0o600, ...(!special && { flag: 'wx' }) });
    if (!special) await rename(partial, path);
  } catch (error) {
    if (!special) await rm(partial, { force: true });
    throw new SeineError('unavailable', `Could not write "${path}": ${codeOf(error) ?? messageOf(error)}.`, {
      hint: 'Choose an existing folder that you can write to.',
      cause: error,
    });
  }
}
