import { describe, expect, it } from 'vitest';
import { SeineError } from '../base/errors.ts';
import { explain, isOutage } from './failures.ts';

const refused = (code: string) => Object.assign(new Error('refused'), { code });

describe('a failure of the database', () => {
  it.each(['40P01', '40001', '55P03'])('is worth another try when it met somebody else: %s', (code) => {
    const error = explain(refused(code));
    expect(error).toBeInstanceOf(SeineError);
    expect(error).toMatchObject({ kind: 'conflict', retry: true });
    expect(isOutage(refused(code))).toBe(false); // the connection is as good as before
  });

  it('stays as it is when the statement was wrong', () => {
    const wrong = refused('42703');
    expect(explain(wrong)).toBe(wrong);
  });
});
