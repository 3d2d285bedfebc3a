/**
 * The terminal's alternate screen: the previous content is restored when it is left, however the process ends. Only changed lines are
 * written, in one write, which avoids flicker and saves bandwidth on slow connections.
 */
import type { Writable } from 'node:stream';
import { unguarded } from '../terminal-guard.ts';
import { terminalText } from '../visible.ts';

export interface Terminal extends Writable {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

// Alternate screen, no cursor, no wrapping: a character of misjudged width must not shift the lines below.
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J';
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l';

export class Screen {
  readonly #terminal: Terminal;
  readonly #write: (text: string) => unknown;
  readonly #leave = () => this.leave();
  #shown: string[] | null = null;
  #entered = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#write = unguarded(terminal);
  }

  enter(): void {
    this.#entered = true;
    process.once('exit', this.#leave); // also after an uncaught error
    this.#write(ENTER);
  }

  /** Makes the next `draw` write every line: after a resize, or after another process wrote to the terminal. */
  forget(): void {
    this.#shown = null;
  }

  draw(lines: readonly string[]): void {
    // A stopped terminal must not fill the write buffer.
    if (!this.#entered || this.#terminal.writableNeedDrain) return;
    const changed = lines.flatMap((line, row) =>
      this.#shown?.[row] === line ? [] : [`\x1b[${row + 1};1H${terminalText(line)}\x1b[K`],
    );
    if (this.#shown === null) changed.push('\x1b[J'); // clears what a larger window left after the last line
    if (changed.length > 0) this.#write(changed.join(''));
    this.#shown = [...lines];
  }

  leave(): void {
    if (!this.#entered) return;
    this.#entered = false;
    process.off('exit', this.#leave);
    this.#write(LEAVE);
  }
}
