/**
 * The terminal's second screen: what stood there before comes back when it is left, however the process ends. Only lines
 * that changed are written, all at once, so nothing flickers and a slow line carries little.
 */
import type { Writable } from 'node:stream';
import { unguarded } from '../terminal-guard.ts';
import { terminalText } from '../visible.ts';

export interface Terminal extends Writable {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

// Second screen, no cursor, no wrapping: a character whose width we got wrong must not push everything down.
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
    process.once('exit', this.#leave); // also after an error that nobody caught
    this.#write(ENTER);
  }

  /** The next `draw` writes every line: the window changed its size, or somebody else wrote into it. */
  forget(): void {
    this.#shown = null;
  }

  draw(lines: readonly string[]): void {
    // A terminal that was stopped must not fill our memory.
    if (!this.#entered || this.#terminal.writableNeedDrain) return;
    const changed = lines.flatMap((line, row) =>
      this.#shown?.[row] === line ? [] : [`\x1b[${row + 1};1H${terminalText(line)}\x1b[K`],
    );
    if (this.#shown === null) changed.push('\x1b[J'); // behind the last line, what a larger window left
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
