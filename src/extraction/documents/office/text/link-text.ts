import { plainTarget } from '../package/relations.ts';

/** The output that links are written to. */
interface Writing {
  write(text: string): void;
}

/** The current link, if any. Its target is written after its text, unless the text contains it. */
export class LinkText {
  #target: string | null = null;
  #text = '';
  /** What ends it. */
  ends = '';

  begin(target: string | null | undefined, ends: string): void {
    if (target === null || target === undefined || target === '' || target.startsWith('#')) return;
    this.#target = target;
    this.#text = '';
    this.ends = ends;
  }

  /** Some of its text. */
  text(text: string): void {
    if (this.#target !== null && this.#text.length <= this.#target.length) this.#text += text;
  }

  end(into: Writing): void {
    const target = this.#target;
    this.#target = null;
    this.ends = '';
    if (target !== null && plainTarget(target) !== plainTarget(this.#text.trim())) into.write(` <${target}>`);
  }
}
