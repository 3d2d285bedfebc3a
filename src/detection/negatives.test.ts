import { describe, expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';
import { scanText } from './scan.fixture.ts';
import { createScanner } from './scanner.ts';

const scanner = createScanner(catalogue);

function ids(text: string, field: string | null = null): string[] {
  return scanText(scanner, text, { context: { fieldAt: () => field } }).map(
    ({ detector }) => catalogue[detector]!.id,
  );
}

describe('what only resembles a value is not reported', () => {
  it.each([
    ['a UUID', 'id=3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
    ['a UUID of digits', '45391488-0343-6467-4539-148803436467'],
    ['a SHA-1', 'commit 4539148803436467da39a3ee5e6b4b0d3255bfef'],
    ['a SHA-256', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['a time', '2024-09-15T09:27:14.572Z INFO took 4381ms'],
    ['a time of the epoch', 'ts=1726392434 ms=1726392434572 us=1726392434572123'],
    ['an order', 'order 112-9382716-2837465'],
    ['a UPS parcel', 'shipped as 1Z999AA10123456784'],
    ['a FedEx parcel', 'tracking 986578788855'],
    ['a USPS parcel', 'tracking 9400 1000 0000 0000 0000 00'],
    ['a version', 'curl version 7.88.1.2, v10.4.12.7'],
    ['a broadcast MAC address', 'ether ff:ff:ff:ff:ff:ff'],
    ['a time of day', 'from 12:30:45 to 13:00'],
    ['an ISBN', 'ISBN 978-3-16-148410-0'],
    ['a float', 'loss=0.4539148803436467 pi=3.14159265358979'],
    ['coordinates', '48.858370, 2.294481'],
    ['C++', 'std::vector<a::b> c; dead::beef'],
    ['a diff', '@@ -12,7 +12,9 @@ def run'],
    ['a decorator', '@app.route("/x")\n@pytest.fixture'],
    ['a package', 'npm i @types/node@24.19.2 left-pad@1.3.0'],
    ['a password field', '<input type="password" name="password" placeholder="Password">'],
    ['a schema', 'password: z.string().min(8), token: string, apiKey?: string'],
    [
      'a public key',
      '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----',
    ],
    ['a git remote', 'git@github.com:acme/seine.git'.replace('git@github.com', 'git@github')],
    ['a netmask', 'inet 127.0.0.1 netmask 255.255.255.0'],
    ['amounts', 'total 1,234.56 of 12.345.678'],
  ])('%s: %s', (_, text) => {
    expect(ids(text)).toEqual([]);
  });
});

describe('a value is reported once', () => {
  it.each([
    ['a card inside an IBAN is the IBAN', 'DE89 3704 0044 0532 0130 00', ['IBAN']],
    [
      'a token given as a password is the token',
      `password=ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'}`,
      ['GITHUB_TOKEN'],
    ],
    ['a login in a URL is no address', 'postgres://app:tr0ub4dor@db.acme.example/x', ['DATABASE_URL']],
    ['a routing number is no social security number', 'SSN or routing number: 021000021', ['ABA_ROUTING']],
    ['a telephone number with a country code is one number', '+1 212 555 0142', ['PHONE']],
  ])('%s', (_, text, expected) => {
    expect(ids(text)).toEqual(expected);
  });
});

describe('context', () => {
  it('applies to the first number after the label', () => {
    expect(ids('SSN: 536-22-8741, reference 536228742')).toEqual(['SSN']);
  });

  it('does not cross a line end, unless the whole line is the label', () => {
    expect(ids('the SSN is missing\n536228741')).toEqual([]);
    expect(ids('SSN:\n536228741')).toEqual(['SSN']);
  });

  it('may be the field name, in any notation', () => {
    for (const field of ['ssn', 'SSN', 'employeeSSN', 'social_security_number', 'Social Security']) {
      expect(ids('536228741', field)).toEqual(['SSN']);
    }
    expect(ids('536228741', 'lessn')).toEqual([]);
  });

  it('may lower the confidence of a value', () => {
    expect(ids('5425233430109903')).toEqual(['CREDIT_CARD']);
    expect(ids('5425233430109903', 'tracking_number')).toEqual([]);
    expect(ids('5425233430109903', 'card_number')).toEqual(['CREDIT_CARD']);
  });
});
