import { decoderOf } from '../../code-page.ts';
import { uint16 } from './biff-records.ts';
import { biffString } from './biff-strings.ts';

const WESTERN = 1252;
/** Numbers that Excel has for itself. */
const OWN_PAGES: Readonly<Record<number, number>> = { 32768: 10000, 32769: WESTERN };

/** How a workbook writes its strings: since 97 in Unicode, before in a code page of its own. */
export class WorkbookText {
  #codePage: number | null = null;

  get isOld(): boolean {
    return this.#codePage !== null;
  }

  /** It is of a version before 97. */
  setOld(): void {
    this.#codePage = WESTERN;
  }

  /** Of no meaning since 97. */
  setCodePage(number: number): void {
    if (this.isOld) this.#codePage = OWN_PAGES[number] ?? number;
  }

  /** One that isn't continued, with its length in one byte or two before it. Damaged ones are shorter. */
  string(bytes: Buffer, at: number, to: number, lengthBytes: 1 | 2, oldLengthBytes = lengthBytes): string {
    if (this.#codePage === null) return biffString(bytes, at, to, lengthBytes);
    const begin = at + oldLengthBytes;
    const length = oldLengthBytes === 1 ? (bytes[at] ?? 0) : uint16(bytes, at);
    return decoderOf(this.#codePage).decode(
      bytes.subarray(begin, Math.max(begin, Math.min(to, begin + length))),
    );
  }
}
