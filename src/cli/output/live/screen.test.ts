import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Screen } from './screen.ts';

/** As much of a terminal as the screen needs. */
class Emulator extends Writable {
  readonly writes: string[] = [];
  second: string[] | null = null;
  #row = 0;

  override _write(chunk: Buffer, _: string, done: () => void): void {
    const text = chunk.toString('utf8');
    this.writes.push(text);
    for (const part of text.split('\x1b[').slice(1)) {
      const [, code, plain] = /^([?\d;]*[A-Za-z])(.*)$/s.exec(part)!;
      if (code === '?1049h') this.second = [];
      else if (code === '?1049l') this.second = null;
      else if (code === '2J') this.second = [];
      else if (code === 'J') this.second!.length = Math.min(this.second!.length, this.#row + 1);
      else if (code === 'K') this.second![this.#row] ??= '';
      else if (code?.endsWith(';1H')) this.#row = Number.parseInt(code, 10) - 1;
      if (code?.endsWith(';1H')) this.second![this.#row] = '';
      if (plain !== '') this.second![this.#row] = plain!;
    }
    done();
  }
}

function entered(): { terminal: Emulator; screen: Screen } {
  const terminal = new Emulator();
  const screen = new Screen(terminal);
  screen.enter();
  return { terminal, screen };
}

describe('the screen', () => {
  it('shows the last frame, whatever came before', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 3 });
    const frames = fc.array(fc.array(line, { minLength: 4, maxLength: 4 }), { minLength: 1 });
    const property = fc.property(frames, (all) => {
      const { terminal, screen } = entered();
      for (const lines of all) screen.draw(lines);
      expect(terminal.second).toEqual(all.at(-1));
      screen.leave();
    });
    fc.assert(property);
  });

  it('writes only the lines that changed, at once', () => {
    const { terminal, screen } = entered();
    screen.draw(['one', 'two', 'three']);
    const before = terminal.writes.length;
    screen.draw(['one', '2', 'three']);
    screen.draw(['one', '2', 'three']);
    expect(terminal.writes.slice(before)).toEqual(['\x1b[2;1H2\x1b[K']);
    screen.leave();
  });

  it('writes all of them again after forget(), and clears the lines below', () => {
    const { terminal, screen } = entered();
    screen.draw(['one', 'two', 'three']);
    screen.forget();
    screen.draw(['one', 'two']);
    expect(terminal.second).toEqual(['one', 'two']);
    screen.leave();
  });

  it('gives back the first screen, the cursor and the wrapping, once', () => {
    const { terminal, screen } = entered();
    screen.leave();
    screen.leave();
    screen.draw(['late']);
    expect(terminal.writes.at(-1)).toBe('\x1b[?7h\x1b[?25h\x1b[?1049l');
    expect(terminal.writes).toHaveLength(2);
  });

  it('is left when the process ends without a word', () => {
    const before = process.listeners('exit');
    const { terminal, screen } = entered();
    const ours = process.listeners('exit').filter((listener) => !before.includes(listener));
    for (const listener of ours) listener(1);
    expect(terminal.second).toBeNull();
    screen.leave();
    expect(process.listeners('exit')).toEqual(before);
  });

  it('waits for a terminal that does not read', () => {
    const written: string[] = [];
    const stuck = new Writable({ highWaterMark: 1, write: (chunk) => void written.push(String(chunk)) });
    const screen = new Screen(stuck);
    screen.enter();
    for (let n = 0; n < 100; n++) screen.draw([`frame ${n}`]);
    expect(stuck.writableLength).toBeLessThan(200);
    screen.leave();
  });
});
