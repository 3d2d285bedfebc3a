import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasPassword, redactPassword } from './redact-url.ts';

describe('an address with a password in it', () => {
  it.each([
    'postgres://seine:hush@db/seine',
    'redis://:hush@host',
    'postgres://db/seine?password=hush',
    'postgres://db/seine?sslmode=require&PASSWORD=hush',
    'https://example.org/hook?token=hush',
    'https://hush@example.org/',
    'http://a:b@c',
  ])('%s', (address) => {
    expect(hasPassword(address)).toBe(true);
    expect(redactPassword(address)).not.toContain('hush');
  });

  it.each([
    'postgres://seine@db/seine',
    'postgres://seine:@db/seine',
    'postgres://db/seine?sslmode=require&sslkey=/etc/key.pem',
    'https://example.org:8443/a?b=c',
    'redis://host:6379/0',
    '/srv/share',
    's3://bucket/prefix',
    's3://bucket/mail@example.org:x/',
  ])('but not %s', (address) => {
    expect(hasPassword(address)).toBe(false);
  });
});

describe('what is shown of an address', () => {
  it.each([
    [
      'postgres://seine:hush@db:5432/seine?sslmode=require',
      'postgres://seine:•••@db:5432/seine?sslmode=require',
    ],
    ['postgres://u:p@a:1,b:2/x', 'postgres://u:•••@a:1,b:2/x'],
    ['postgres:///x?host=/run&password=p', 'postgres:///x?host=/run&password=•••'],
    ['https://token@example.org/x', 'https://•••@example.org/x'],
    ['redis://host:6379', 'redis://host:6379'],
    ['postgres://seine:pa@ss@db/x', '•••'],
    ['postgres://seine:pa/ss@db/x', '•••'],
    ['what is this', '•••'],
  ])('%s is shown as %s', (address, shown) => {
    expect(redactPassword(address)).toBe(shown);
  });

  it('never holds the password, whatever characters it has', () => {
    const nasty = fc.string({
      unit: fc.constantFrom('@', ':', '/', '?', '#', '&', '=', '%', ' '),
      maxLength: 6,
    });
    fc.assert(
      fc.property(nasty, nasty, (before, after) => {
        const shown = redactPassword(`postgres://seine:${before}hush${after}@db/seine`);
        expect(shown).not.toContain('hush');
      }),
    );
  });
});
