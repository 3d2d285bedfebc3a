import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextPart, TextSink } from '../extraction.ts';
import { DedupSink } from './dedup-sink.ts';

const part = (name: string): TextPart => ({
  name,
  format: 'text',
  charset: 'utf-8',
  sourceOffset: (offset) => offset,
  fieldAt: () => null,
  fieldScope: 'near',
});

/** What arrives, as one string. */
class ReceivedText implements TextSink {
  all = '';
  begin({ name }: TextPart): void {
    this.all += `<${name}>`;
  }
  text(bytes: Uint8Array): void {
    this.all += Buffer.from(bytes).toString();
  }
  end(): void {
    this.all += '</>';
  }
}

/** Sends texts, in chunks of that size, and stops after this many calls. */
function sendTexts(sink: TextSink, texts: readonly string[], size: number, calls: number): void {
  let left = calls;
  const steps = texts.flatMap((text, n) => {
    const chunks = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
    return [
      () => sink.begin(part(String(n))),
      ...chunks.map((chunk) => () => sink.text(Buffer.from(chunk))),
      () => sink.end(),
    ];
  });
  for (const step of steps) if (left-- > 0) step();
}

describe('a document that is read again', () => {
  it('is passed on once, for any interruption and chunking', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 20 }), { maxLength: 5 }),
        fc.nat(30),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 7 }),
        (texts, calls, first, second) => {
          const [received, expected] = [new ReceivedText(), new ReceivedText()];
          const once = new DedupSink(received);
          sendTexts(once, texts, first, calls);
          once.restart();
          sendTexts(once, texts, second, Number.MAX_SAFE_INTEGER);
          once.close();
          sendTexts(expected, texts, 100, Number.MAX_SAFE_INTEGER);
          expect(received.all).toBe(expected.all);
        },
      ),
    );
  });

  it('that breaks off for good leaves no text open', () => {
    const received = new ReceivedText();
    const once = new DedupSink(received);
    sendTexts(once, ['abc'], 2, 2);
    once.close();
    expect(received.all).toBe('<0>ab</>');
    expect(once.hasOutput).toBe(true);
  });
});
