import type { States } from '../pdfjs/library-internals.ts';
import type { FontGlyphs } from './font-glyphs.ts';

/** `[a b c d e f]`: from x and y to `a x + c y + e` and `b x + d y + f`. */
export type Matrix = number[];

const PLAIN: Readonly<Matrix> = [1, 0, 0, 1, 0, 0];

/** Where and how the next text is drawn. */
export class TextState {
  /** From drawing to page coordinates; never modified in place. */
  paper: Readonly<Matrix> = PLAIN;
  /** From the text to the drawing: at the next character, and at the beginning of the line. */
  text: Matrix = [...PLAIN];
  line: Matrix = [...PLAIN];
  font: FontGlyphs | null = null;
  fontName: string | null = null;
  fontSize = 0;
  characterSpacing = 0;
  wordSpacing = 0;
  leading = 0;
  horizontalScale = 1;
  rise = 0;

  clone(): TextState {
    const copy: TextState = Object.assign(new TextState(), this);
    copy.text = [...this.text];
    copy.line = [...this.line];
    return copy;
  }

  begin(): void {
    this.text = [...PLAIN];
    this.line = [...PLAIN];
  }

  set(matrix: readonly number[]): void {
    this.text = [...matrix];
    this.line = [...matrix];
  }

  newLine(x: number, y: number): void {
    const { line } = this;
    line[4]! += line[0]! * x + line[2]! * y;
    line[5]! += line[1]! * x + line[3]! * y;
    this.text = [...line];
  }

  advance(x: number): void {
    const { text } = this;
    text[4]! += text[0]! * x;
    text[5]! += text[1]! * x;
  }

  /** Units of the text are that long on the paper. */
  get scale(): number {
    return Math.hypot(this.paper[0]!, this.paper[1]!) * Math.hypot(this.line[0]!, this.line[1]!);
  }
}

/** The current state, and those it was saved to. */
export class TextStates implements States {
  readonly stateStack: TextState[] = [];
  state: TextState;

  constructor(state: TextState) {
    this.state = state;
  }

  save(): void {
    this.stateStack.push(this.state);
    this.state = this.state.clone();
  }

  restore(): void {
    this.state = this.stateStack.pop() ?? this.state;
  }

  transform(matrix: readonly number[]): void {
    this.state.paper = product(this.state.paper, matrix);
  }
}

export function product(outer: readonly number[], inner: readonly number[]): Matrix {
  const a = outer[0]!;
  const b = outer[1]!;
  const c = outer[2]!;
  const d = outer[3]!;
  return [
    a * inner[0]! + c * inner[1]!,
    b * inner[0]! + d * inner[1]!,
    a * inner[2]! + c * inner[3]!,
    b * inner[2]! + d * inner[3]!,
    a * inner[4]! + c * inner[5]! + outer[4]!,
    b * inner[4]! + d * inner[5]! + outer[5]!,
  ];
}
