import { describe, expect, it } from 'vitest';
import { entropy } from './entropy.ts';
import { rangeOfV4, rangeOfV6, v6Groups } from './ip.ts';
import { ssnIssuable, ssnLooksTyped } from './national/north-america.ts';
import { isPlaceholder } from './placeholder.ts';
import { vinChecks } from './vin.ts';

describe('VIN', () => {
  it.each(['1M8GDM9AXKP042788', '1HGCM82633A004352', '5GZCZ43D13S812715'])('%s passes', (vin) => {
    expect(vinChecks(vin)).toBe(true);
  });
  it.each(['1M8GDM9A1KP042788', '1M8GDM9AXKPO42788', '1M8GDM9AXKP04278'])('%s fails', (vin) => {
    expect(vinChecks(vin)).toBe(false);
  });
});

describe('SSN', () => {
  it.each([
    '000121234',
    '666121234',
    '900121234',
    '999121234',
    '123001234',
    '123450000',
    '078051120',
    '219099999',
  ])('%s was never issued', (digits) => expect(ssnIssuable(digits)).toBe(false));
  it.each(['001010001', '899999998', '665121234', '667121234'])('%s may be', (digits) => {
    expect(ssnIssuable(digits)).toBe(true);
  });
  it('one digit over and over was typed by a tester', () => {
    expect(ssnLooksTyped('111111111')).toBe(true);
    expect(ssnLooksTyped('123456789')).toBe(false);
  });
});

describe('IP ranges', () => {
  const v4 = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  it.each([
    ['8.8.8.8', 'public'],
    ['172.15.0.9', 'public'],
    ['172.16.0.9', 'private'],
    ['192.168.1.1', 'private'],
    ['203.0.113.9', 'documentation'],
    ['127.0.0.1', 'special'],
    ['255.255.255.0', 'special'],
    ['0.0.0.0', 'special'],
  ])('%s is %s', (text, range) => expect(rangeOfV4(v4(text))).toBe(range));
  it.each([
    ['2001:db8::1', 'documentation'],
    ['fe80::1', 'private'],
    ['2a00:1450:4001:81b::200e', 'public'],
    ['::1', 'special'],
    ['ff02::1', 'special'],
  ])('%s is %s', (text, range) => expect(rangeOfV6(v6Groups(text)!)).toBe(range));
  it.each(['1:2:3', '1::2::3', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7::8', '12345::1', '::1.2.3.256'])(
    '%s is none',
    (text) => {
      expect(v6Groups(text)).toBeNull();
    },
  );
  it('writes "::" out', () =>
    expect(v6Groups('1::ffff:1.2.3.4')).toEqual([1, 0, 0, 0, 0, 0xffff, 0x102, 0x304].slice(0, 8)));
});

describe('entropy', () => {
  it('is 0 for one letter, 1 for a coin, 4 for sixteen different letters', () => {
    expect(entropy('aaaa')).toBe(0);
    expect(entropy('abab')).toBe(1);
    expect(entropy('0123456789abcdef')).toBe(4);
  });
});

describe('placeholders', () => {
  it.each([
    '',
    'xxxx',
    '********',
    '<password>',
    '$\u007bVAR}',
    '$VAR',
    '{{ secret }}',
    '%PASSWORD%',
    'process.env.X',
    "os.environ['X']",
    'null',
    'your-api-key-here',
    '...',
  ])('%j is one', (text) => expect(isPlaceholder(text)).toBe(true));
  it.each(['changeme', 'hunter2', 'P@ssw0rd', '$ecret-1', 'correct horse'])('%j is a password', (text) => {
    expect(isPlaceholder(text)).toBe(false);
  });
});
