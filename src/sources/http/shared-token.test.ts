import { afterEach, describe, expect, it, vi } from 'vitest';
import { type FetchedToken, SharedToken } from './shared-token.ts';

afterEach(() => void vi.restoreAllMocks());

const HOUR_MS = 3_600_000;
const tokenOf = (name: string, lifetimeMs: number | null = HOUR_MS): FetchedToken => ({
  headers: { authorization: name },
  expires: lifetimeMs === null ? null : Date.now() + lifetimeMs,
});

/** Returns the answers in turn; an error is thrown, null never resolves. */
function fetching(...answers: (FetchedToken | Error | null)[]) {
  const fresh: boolean[] = [];
  const fetch = async (isRejected: boolean) => {
    fresh.push(isRejected);
    const answer = answers.shift();
    if (answer === null) return new Promise<never>(() => {});
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no more');
    return answer;
  };
  return { fetch, fresh };
}

describe('a shared token', () => {
  it('is cached until shortly before it expires', async () => {
    const { fetch, fresh } = fetching(tokenOf('a', HOUR_MS));
    const token = new SharedToken(fetch);
    for (let i = 0; i < 3; i++) expect(await token.get()).toEqual({ authorization: 'a' });
    expect(fresh).toHaveLength(1);
  });

  it('is used until it expires if it cannot be renewed', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(0);
    const token = new SharedToken(
      fetching(tokenOf('a', HOUR_MS), new Error('down'), new Error('down')).fetch,
    );
    await token.get();
    now.mockReturnValue(HOUR_MS - 1000);
    expect(await token.get()).toEqual({ authorization: 'a' });
    now.mockReturnValue(HOUR_MS + 1000);
    await expect(token.get()).rejects.toThrow('down');
  });

  it('is fetched again after a rejected request, once for all that used the old one', async () => {
    const { fetch, fresh } = fetching(
      tokenOf('a', null),
      tokenOf('b', null),
      tokenOf('b', null),
      tokenOf('b', null),
    );
    const token = new SharedToken(fetch);
    const failing = async () => {
      throw new Error('401');
    };
    const errors = await Promise.all(
      Array.from({ length: 3 }, () => token.use(failing).catch((error: unknown) => error)),
    );
    expect(errors.map((error) => token.reject(error))).toEqual([true, true, true]);
    expect(await token.get()).toEqual({ authorization: 'b' });
    await token.get();
    expect(fresh).toEqual([false, true, false]);
    // The new one is rejected, too, which is final.
    const again = await token.use(failing).catch((error: unknown) => error);
    expect(token.reject(again)).toBe(false);
  });

  it('ignores unrelated errors', () => {
    expect(new SharedToken(fetching().fetch).reject(new Error('another'))).toBe(false);
  });

  it('is requested again by the next request after a timeout', async () => {
    const token = new SharedToken(fetching(null, tokenOf('a')).fetch, 20);
    await expect(Promise.all([token.get(), token.get()])).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await token.get()).toEqual({ authorization: 'a' });
  });
});
