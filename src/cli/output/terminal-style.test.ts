import { describe, expect, it } from 'vitest';
import { detectTerminalStyle, paint } from './terminal-style.ts';

const tty = { isTTY: true, columns: 90 };

describe('the look', () => {
  it('is coloured on a terminal and plain in a pipe', () => {
    expect(detectTerminalStyle(tty, {}).color).toBe(true);
    expect(detectTerminalStyle({}, {}).color).toBe(false);
  });

  it.each([
    ['NO_COLOR takes the colour away', tty, { NO_COLOR: '1' }, {}, false],
    ['an empty NO_COLOR says nothing', tty, { NO_COLOR: '' }, {}, true],
    ['FORCE_COLOR colours a pipe', {}, { FORCE_COLOR: '1' }, {}, true],
    ['FORCE_COLOR=0 takes the colour away', tty, { FORCE_COLOR: '0' }, {}, false],
    ['FORCE_COLOR beats NO_COLOR', {}, { FORCE_COLOR: '1', NO_COLOR: '1' }, {}, true],
    ['--no-color beats everything', tty, { FORCE_COLOR: '1' }, { color: false }, false],
    ['a dumb terminal gets no colour', tty, { TERM: 'dumb' }, {}, false],
  ])('%s', (_name, stream, env, flags, color) => {
    expect(detectTerminalStyle(stream, env, flags).color).toBe(color);
  });

  it('keeps the width within what can be read', () => {
    expect(detectTerminalStyle(tty, {}).width).toBe(90);
    expect(detectTerminalStyle({ columns: 7 }, {}).width).toBe(40);
    expect(detectTerminalStyle({ columns: 900 }, {}).width).toBe(160);
    expect(detectTerminalStyle({}, { COLUMNS: '72' }).width).toBe(72);
    expect(detectTerminalStyle({}, { COLUMNS: 'wide' }).width).toBe(100);
  });

  it('falls back to ASCII only where the locale requires it', () => {
    expect(detectTerminalStyle(tty, {}).unicode).toBe(true);
    expect(detectTerminalStyle(tty, { LANG: 'de_DE.UTF-8' }).unicode).toBe(true);
    expect(detectTerminalStyle(tty, { LANG: 'de_DE.UTF-8', LC_ALL: 'C' }).unicode).toBe(false);
  });

  it('paints regardless of what the process own streams are', () => {
    expect(paint({ color: true, width: 80, unicode: true }, ['bold', 'red'], 'x')).toContain('\x1b[');
    expect(paint({ color: false, width: 80, unicode: true }, 'red', 'x')).toBe('x');
  });
});
