import type { DestinationWord } from './rtf-words.ts';
import { isTextSetting, MAX_SETTING_NAME_LENGTH } from './rtf-words.ts';

const TEXT: DestinationWord = { destination: 'text', apart: '\n' };
const IGNORED: DestinationWord = { destination: 'ignored', apart: '' };
const SAME: DestinationWord = { destination: 'text', apart: '' };

/** Tracks drawings: which of their settings are text, and whether their fallback contains anything new. */
export class RtfShapes {
  #setting = '';
  #texts = 0; // of all shapes so far
  /** How many there were when the last shape began, by the depth of its group: a shape may be one of several in another. */
  readonly #before: number[] = [];

  /** The destination of a group, corrected for shapes. `depth`: of the nested groups. */
  entered(word: string, entered: DestinationWord, depth: number): DestinationWord {
    if (word === 'shpinst') this.#before[depth] = this.#texts;
    if (word === 'shptxt') this.#texts++;
    if (entered.destination === 'setting name') this.#setting = '';
    if (entered.destination === 'setting value') return isTextSetting(this.#setting) ? TEXT : IGNORED;
    if (entered.destination !== 'in place of a shape') return entered;
    return this.#texts > (this.#before[depth] ?? this.#texts) ? IGNORED : SAME;
  }

  /** Some of the name of a setting. */
  name(bytes: Uint8Array, from: number, to: number): void {
    const end = Math.min(to, from + MAX_SETTING_NAME_LENGTH);
    for (let i = from; i < end && this.#setting.length < MAX_SETTING_NAME_LENGTH; i++)
      this.#setting += String.fromCharCode(bytes[i]!);
  }
}
