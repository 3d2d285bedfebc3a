import { describe, expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { isExhaustion, mapFsError } from './failure.ts';

const systemError = (code: string) => Object.assign(new Error(`${code}: it went wrong`), { code });

describe('system errors', () => {
  it.each([
    ['EACCES', 'permission', false],
    ['EPERM', 'permission', false],
    ['ENOENT', 'not-found', false],
    ['ENOTDIR', 'not-found', false],
    ['ELOOP', 'changed', false],
    ['ENAMETOOLONG', 'limit', false],
    ['EMFILE', 'limit', true],
    ['EIO', 'unavailable', true],
    ['ESTALE', 'unavailable', true],
  ])('%s is of the kind %s', (code, kind, retry) => {
    expect(mapFsError(systemError(code), '/srv/a')).toMatchObject({ kind, retry });
  });

  it('contain the path in a form that fits on one line', () => {
    expect(mapFsError(systemError('EIO'), '/srv/a\nb\xff').message).toContain('/srv/a\\nb\\xff');
  });

  it('are passed through if they are SeineErrors already', () => {
    const ours = new SeineError('changed', 'It changed.');
    expect(mapFsError(ours, '/srv/a')).toBe(ours);
  });

  it('are attributed to this machine if handles or memory run out', () => {
    expect(isExhaustion(systemError('EMFILE'))).toBe(true);
    expect(isExhaustion(systemError('EIO'))).toBe(false);
  });
});
