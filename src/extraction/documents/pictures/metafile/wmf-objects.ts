import type { Font } from './device.ts';

/** More than any picture has; beyond it none can be found by its number. */
const MAX_COUNT = 1024;

/** Fonts, pens and their like are called by the lowest number that was free when they were made. */
export class WmfObjects {
  /** Null: something else than a font; undefined: free. */
  readonly #objects: (Font | null | undefined)[] = [];

  add(object: Font | null): void {
    const free = this.#objects.indexOf(undefined);
    const index = free === -1 ? this.#objects.length : free;
    if (index < MAX_COUNT) this.#objects[index] = object;
  }

  remove(index: number): void {
    if (index >= 0 && index < this.#objects.length) this.#objects[index] = undefined;
  }

  get(index: number): Font | null {
    return this.#objects[index] ?? null;
  }
}
