import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { RandomAccess } from '../../../document-item.ts';
import { uint32 } from '../excel/biff-records.ts';
import type { PowerPointRecord } from './powerpoint-records.ts';
import { SLIDE_LIST, SLIDE_REFERENCE, type SlideNumbers } from './powerpoint-slides.ts';

const SLIDE = 0x3ee;
const NOTES = 0x3f0;
export const NOTES_OF = 0x3f1;
const MASTER = 0x3f8;
const HANDOUT = 0xfc9;

/** What a list of slides is about, by its instance; null: slides, one after another. */
const LISTS = [null, 'layout', 'notes'];

/**
 * Tracks the location in the presentation while its records are read. The text of a slide may be in two places: in the slide's shapes,
 * and in the document's slide list. Slides of earlier saves have no number.
 */
export class PowerPointLocations {
  readonly #stream: RandomAccess;
  readonly #numbers: SlideNumbers;
  readonly #budget: ExtractionBudget;
  #list: PowerPointRecord | null = null;
  #listed = 0;
  location: string | null = null;

  constructor(stream: RandomAccess, numbers: SlideNumbers, budget: ExtractionBudget) {
    this.#stream = stream;
    this.#numbers = numbers;
    this.#budget = budget;
  }

  async pass(record: PowerPointRecord): Promise<void> {
    if (this.#list !== null && record.at >= this.#list.to) {
      this.#list = null;
      this.location = null;
    }
    if (record.top) this.#enterTop(record);
    if (record.type === NOTES_OF) await this.#notesOf(record);
    else if (record.type === SLIDE_LIST) this.#enterList(record);
    else if (record.type === SLIDE_REFERENCE && this.#list !== null) this.#nextInList(this.#list.instance);
  }

  #enterTop({ type, at }: PowerPointRecord): void {
    this.location = null;
    if (type === NOTES) this.location = 'notes';
    else if (type === MASTER || type === HANDOUT) this.location = 'layout';
    else if (type === SLIDE) {
      this.#budget.countPage();
      const number = this.#numbers.byOffset.get(at);
      if (number !== undefined) this.location = `slide ${number}`;
    }
  }

  async #notesOf({ from, to }: PowerPointRecord): Promise<void> {
    const bytes = await this.#stream.read(from, Math.min(to, from + 4));
    const number = this.#numbers.byId.get(uint32(bytes, 0));
    if (number !== undefined) this.location = `slide ${number} notes`;
  }

  #enterList(list: PowerPointRecord): void {
    this.#list = list;
    this.#listed = 0;
  }

  #nextInList(instance: number): void {
    this.#listed++;
    this.location = LISTS[instance] ?? `slide ${this.#listed}`;
  }
}
