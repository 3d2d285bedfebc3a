import { describe, expect, it } from 'vitest';
import { base58Decode, base58Payload, RIPPLE } from './base58check.ts';
import { bech32Checks, cashAddressChecks, segwitChecks } from './bech32.ts';
import { algorandChecks, crc16, eip55Checks, moneroChecks, strkeyChecks } from './crypto-addresses.ts';

describe('base58check', () => {
  it.each([
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 0x00],
    ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 0x05],
    ['LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9', 0x30],
    ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', 0x1e],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 0x41],
  ])('%s, used in public, has its version byte', (text, version) => {
    expect(base58Payload(text, 25)?.[0]).toBe(version);
  });

  it('the root of the XRP Ledger passes in its own alphabet and in no other', () => {
    expect(base58Payload('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 25, RIPPLE)).not.toBeNull();
    expect(base58Payload('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 25)).toBeNull();
  });

  it('a changed letter, a letter outside the alphabet and too many letters fail', () => {
    expect(base58Payload('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 25)).toBeNull();
    expect(base58Payload('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfN0', 25)).toBeNull();
    expect(base58Payload('z'.repeat(40), 25)).toBeNull();
  });

  it('a leading one is a zero byte, neither more nor less', () => {
    expect(base58Decode('112', 3)).toEqual(Buffer.from([0, 0, 1]));
    expect(base58Decode('12', 3)).toBeNull();
    expect(base58Decode('1112', 3)).toBeNull();
  });
});

describe('bech32', () => {
  it.each([
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ])('%s of BIP-173 and BIP-350 passes', (text) => expect(segwitChecks(text)).toBe(true));

  it.each([
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'bc1qW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1',
  ])('%s fails', (text) => expect(segwitChecks(text)).toBe(false));

  it('the addresses of CIP-19 pass without a witness version', () => {
    expect(bech32Checks('addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8')).toBe(true);
    expect(bech32Checks('stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw')).toBe(true);
    expect(bech32Checks('stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgq')).toBe(false);
  });

  it.each(['qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy', 'qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r'])(
    'cash address %s, published with the specification, passes; changed, it fails',
    (text) => {
      expect(cashAddressChecks(text)).toBe(true);
      expect(cashAddressChecks(`p${text.slice(1)}`)).toBe(false);
    },
  );
});

describe('EIP-55', () => {
  it.each([
    '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    'fB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    'dbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    'D1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('%s of the proposal passes; in one case it proves nothing', (hex) => {
    expect(eip55Checks(hex)).toBe(true);
    expect(eip55Checks(hex.toLowerCase())).toBe(false);
    expect(eip55Checks(hex.toUpperCase())).toBe(false);
  });
});

describe('the others', () => {
  it('CRC-16/XMODEM of 123456789 is 0x31c3', () => {
    expect(crc16(Buffer.from('123456789'))).toBe(0x31c3);
  });

  it('a Stellar account of the documentation passes, with another last letter it fails', () => {
    expect(strkeyChecks('GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ')).toBe(true);
    expect(strkeyChecks('GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGA')).toBe(false);
  });

  it('Monero’s donation address passes, with two letters exchanged it fails', () => {
    const address =
      '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H';
    expect(moneroChecks(address)).toBe(true);
    expect(moneroChecks(address.replace('tN', 'Nt'))).toBe(false);
  });

  it('Algorand’s all-zero address has a valid checksum but no owner', () => {
    expect(algorandChecks('7ZUECA7HFLZTXENRV24SHLU4AVPUTMTTDUFUBNBD64C73F3UHRTHAIOF6Q')).toBe(true);
    expect(algorandChecks(`${'A'.repeat(52)}Y5HFKQ`)).toBe(false);
  });
});
