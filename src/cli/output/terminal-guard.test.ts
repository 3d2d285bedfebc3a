import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { describeError } from '../exit-code.ts';
import { guardTerminal, unguarded } from './terminal-guard.ts';
import { PLAIN_STYLE, paint } from './terminal-style.ts';

/** Title, clipboard, clear screen, cursor up, 8-bit CSI and OSC, bell, backspace, return, direction marks, a hidden answer. */
const HOSTILE = [
  '\x1b]0;title\x07',
  '\x1b]52;c;cm0gLXJmIC8=\x07',
  '\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\',
  '\x1b[2J\x1b[1A\x1b[8m',
  '\x9b2J\x9d0;t\x9c',
  '\x07\b\r\x7f\0\x85',
  '\u202e\u2066\u200f\u061c\u2028',
  '\x1bP1$r\x1b\\\x1b[c\x1b[6n',
];
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const RAW = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u2028\u2029]/;

function guardedStream(): { stream: Writable; text: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  guardTerminal(stream);
  return { stream, text: () => text };
}

describe('what is written to a terminal', () => {
  it.each(HOSTILE)('holds no control characters of others: %j', (hostile) => {
    const { stream, text } = guardedStream();
    stream.write(`before ${hostile} after\n`);
    stream.write(Buffer.from(hostile));
    expect(text()).not.toMatch(RAW);
    expect(text()).toMatch(/^before .* after\n/);
  });

  it('keeps lines, tabs and our own colours', () => {
    const { stream, text } = guardedStream();
    const own = `${paint({ ...PLAIN_STYLE, color: true }, ['bold', 'red', 'inverse'], 'CRITICAL')}\tö 東 👍\n`;
    stream.write(own);
    expect(text()).toBe(own);
  });

  it('stays JSON where it was JSON', () => {
    const { stream, text } = guardedStream();
    const value = { name: HOSTILE.join('') };
    stream.write(JSON.stringify(value));
    expect(text()).not.toMatch(RAW);
    expect(JSON.parse(text())).toEqual(value);
  });

  it('holds no credentials', () => {
    const { stream, text } = guardedStream();
    stream.write('retrying s3://AKIA:S3CR3T@bucket\n');
    expect(text()).toBe('retrying s3://•••@bucket\n');
  });

  it('may move the cursor where the progress line does it', () => {
    const { stream, text } = guardedStream();
    unguarded(stream)('\r\x1b[2K');
    expect(text()).toBe('\r\x1b[2K');
  });
});

describe('an error that quotes others', () => {
  const told = (error: unknown) => describeError(error, PLAIN_STYLE, true);

  it.each(HOSTILE)('shows what it quotes without effect: %j', (hostile) => {
    const quoted = new SeineError('unavailable', `The store answered: ${hostile}`, {
      hint: `Look at ${hostile}`,
      cause: new Error(hostile),
    });
    for (const error of [quoted, new Error(hostile), hostile, { message: hostile }])
      expect(told(error)).not.toMatch(RAW);
  });

  it('cannot pose as another message on a line of its own', () => {
    const error = new SeineError(
      'unavailable',
      'The store answered: no\nseine: all is well\r\nseine: really',
    );
    expect(describeError(error, PLAIN_STYLE, false)).toBe(
      'seine: The store answered: no\n  seine: all is well\n  seine: really\n',
    );
  });

  it('shows no credentials, also in the trace', () => {
    expect(told(new Error('connect s3://AKIA:S3CR3T@b'))).not.toContain('S3CR3T');
    expect(told(new SeineError('usage', '"s3://AKIA:S3CR3T@b" is no target'))).not.toContain('S3CR3T');
  });
});
