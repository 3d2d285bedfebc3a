import { describe, expect, it } from 'vitest';
import { Hosts } from './hosts.ts';

describe('the hosts of a DATABASE_URL', () => {
  it('are tried in turn, each with its own port and all with the same options', () => {
    const hosts = new Hosts('postgres://me:pw@h1:5433,h2/db?target_session_attrs=read-write&sslmode=require');
    const first = 'postgres://me:pw@h1:5433/db?sslmode=require';
    expect([hosts.count, hosts.current]).toEqual([2, first]);
    hosts.failOver(first);
    const second = 'postgres://me:pw@h2/db?sslmode=require';
    expect(hosts.current).toBe(second);
    hosts.failOver(first); // another connection of the same server failed, too
    expect(hosts.current).toBe(second);
    hosts.failOver(second);
    expect(hosts.current).toBe(first);
  });

  it.each([
    ['postgres://me@/db?host=%2Frun%2Fpg', 'postgres://me@/db?host=%2Frun%2Fpg'],
    ['postgres://h/db?target_session_attrs=any', 'postgres://h/db'],
    ['postgresql://[::1]:5432/db', 'postgresql://[::1]:5432/db'],
    ['postgres://h/db?options=-c%20a%3Db,c', 'postgres://h/db?options=-c%20a%3Db,c'],
  ])('of one host are just that: %s', (url, single) => {
    expect(new Hosts(url)).toMatchObject({ count: 1, current: single });
  });
});

describe('an address that cannot be read', () => {
  it.each(['postgres://u:hu/sh@db:5432/x', 'postgres://u:hush#1@db:5432/x', 'postgres://u:hush@db:port/x'])(
    '%s is wrong usage, and not repeated',
    (url) => {
      let said: unknown;
      try {
        new Hosts(url);
      } catch (error) {
        said = error;
      }
      expect(said).toMatchObject({ kind: 'usage', hint: expect.stringContaining('%2F') });
      expect(`${said} ${(said as Error).stack} ${(said as Error).cause}`).not.toMatch(/hu.?sh/);
    },
  );
});
