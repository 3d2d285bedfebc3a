import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { StandardOutput } from './standard-output.ts';

/** Fails each time, and like the real one stays open. */
function failing(code: string) {
  return new Writable({
    autoDestroy: false,
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
  });
}

function watched(stream: Writable) {
  const output = new StandardOutput(stream);
  output.watch();
  return output;
}

describe('standard output', () => {
  it('that takes everything has no failure', async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => setImmediate(done) });
    const output = watched(stream);
    stream.write('text');
    expect(await output.arrives()).toBe(true);
    expect(output.failed).toBe(false);
    expect(await output.failure()).toBeNull();
  });

  it('reports no error for a closed pipe', async () => {
    const stream = failing('EPIPE');
    const output = watched(stream);
    stream.write('text');
    expect(await output.arrives()).toBe(false);
    expect(output.failed).toBe(true);
    expect(await output.failure()).toBeNull();
  });

  it('on a full disk is reported in a sentence, also right after the last write', async () => {
    const stream = failing('ENOSPC');
    const output = watched(stream);
    stream.write('text');
    expect(await output.failure()).toMatchObject({
      kind: 'limit',
      message: 'Could not write to standard output: the disk is full.',
      hint: expect.stringContaining('Free some space'),
    });
  });

  it('that fails otherwise is reported with the error code', async () => {
    const stream = failing('EIO');
    const output = watched(stream);
    stream.write('text');
    expect((await output.failure())?.message).toBe('Could not write to standard output: EIO.');
  });

  it('distinguishes its own errors from others', async () => {
    const stream = failing('ENOSPC');
    const output = watched(stream);
    const error = await new Promise((resolve) => void stream.once('error', resolve).write('text'));
    expect(output.caused(error)).toBe(true);
    expect(output.caused(Object.assign(new Error('other'), { code: 'ENOSPC' }))).toBe(false);
  });
});
