/**
 * Messages of Outlook (.msg).
 *
 * Format: [MS-OXMSG] section 2; property ids: [MS-OXPROPS].
 *
 * No library: msgreader takes the whole message with its attachments as one buffer. The container is read by compound-file.ts anyway.
 */
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { DocumentItem } from '../../../document-item.ts';
import { LimitExceeded } from '../../../extraction-error.ts';
import { PartErrors } from '../../part-errors.ts';
import { rtfItems } from '../../rtf/rtf.ts';
import { chunksOf } from '../../stream-chunks.ts';
import { textChunksOf } from '../../text-writer.ts';
import type { Storage } from '../compound-file/compound-directory.ts';
import { nestLocation } from '../nested-location.ts';
import { decompressRtf } from './compressed-rtf.ts';
import { otherLines } from './outlook-items.ts';
import { PEOPLE_IDS, peopleLines } from './outlook-people.ts';
import { OutlookProperties, PROPERTIES_OF } from './outlook-properties.ts';

const SUBJECT = 0x0037;
const SENT = 0x0039;
const DELIVERED = 0x0e06;
const TRANSPORT_HEADERS = 0x007d;
const BODY = 0x1000;
const COMPRESSED_RTF = 0x1009;
const HTML = 0x1013;
const READ_ELSEWHERE = [SUBJECT, TRANSPORT_HEADERS, BODY, HTML, ...PEOPLE_IDS];

const ATTACHMENT = /^__ATTACH_VERSION1\.0_#/;
const DATA = 0x3701;
const OBJECT = '__substg1.0_3701000D';
const FILE_NAMES = [0x3707, 0x3704, 0x3001];

/** Reads a storage that is attached and no message. */
export type ReadObject = (storage: Storage, budget: ExtractionBudget) => AsyncGenerator<DocumentItem>;

/** Outlook's .msg [MS-OXMSG]: header, body in up to three forms, all other properties, attachments. */
export async function* readOutlookMessage(
  message: Storage,
  budget: ExtractionBudget,
  readObject: ReadObject,
): AsyncGenerator<DocumentItem> {
  const properties = await OutlookProperties.open(message, PROPERTIES_OF.message);
  const reader = new MessageReader(budget, readObject);
  yield* reader.read(message, properties, '', 1);
  if (reader.tooDeep) throw new LimitExceeded('mail depth');
}

class MessageReader {
  readonly #budget: ExtractionBudget;
  readonly #readObject: ReadObject;
  #parts = 0;
  /** Messages nested too deeply were skipped; their siblings were read. */
  tooDeep = false;

  constructor(budget: ExtractionBudget, readObject: ReadObject) {
    this.#budget = budget;
    this.#readObject = readObject;
  }

  /** `prefix`: for the locations of a nested message. */
  async *read(
    message: Storage,
    properties: OutlookProperties,
    prefix: string,
    depth: number,
  ): AsyncGenerator<DocumentItem> {
    const errors = new PartErrors();
    yield* errors.attempt(textChunksOf(`${prefix}headers`, headerLines(message, properties), 'eml'));
    yield* errors.attempt(this.#body(properties, prefix));
    yield* errors.attempt(textChunksOf(`${prefix}properties`, otherLines(properties, READ_ELSEWHERE)));
    for (const storage of message.storagesLike(ATTACHMENT)) {
      if (++this.#parts > this.#budget.limits.mailParts) throw new LimitExceeded('mail parts');
      const attached = storage.storage(OBJECT);
      if (attached === null) yield* errors.attempt(this.#file(storage, properties.codePage, prefix));
      else if (attached.stream('__properties_version1.0') === null)
        yield* errors.attempt(this.#object(attached, prefix));
      else if (depth >= this.#budget.limits.mailDepth) this.tooDeep = true;
      else yield* errors.attempt(this.#message(attached, prefix, depth));
    }
    errors.throwFirst();
  }

  /** RTF contains nothing that the other forms don't. */
  async *#body(properties: OutlookProperties, prefix: string): AsyncGenerator<DocumentItem> {
    const errors = new PartErrors();
    yield* errors.attempt(textChunksOf(`${prefix}body`, properties.text(BODY)));
    const html = properties.binary(HTML);
    if (html !== null || properties.has(HTML)) {
      this.#budget.countEntry();
      const bytes = html === null ? utf8(properties.text(HTML)) : chunksOf(html, 0, html.size);
      yield { is: 'entry', name: `${prefix}body.html`, bytes };
    }
    const rtf = properties.binary(COMPRESSED_RTF);
    if (rtf !== null && html === null && !properties.has(BODY) && !properties.has(HTML)) {
      const items = rtfItems(decompressRtf(rtf, this.#budget), this.#budget);
      yield* errors.attempt(nestLocation(`${prefix}body`, items));
    }
    errors.throwFirst();
  }

  async *#file(attachment: Storage, codePage: number, prefix: string): AsyncGenerator<DocumentItem> {
    const properties = await OutlookProperties.open(attachment, PROPERTIES_OF.part, codePage);
    const data = properties.binary(DATA);
    if (data === null) return;
    const names = await Promise.all(FILE_NAMES.map((id) => properties.name(id)));
    const name = names.find((found) => found !== '') ?? `attachment ${this.#parts}`;
    this.#budget.countEntry();
    yield { is: 'entry', name: `${prefix}${name}`, bytes: chunksOf(data, 0, data.size) };
  }

  async *#object(storage: Storage, prefix: string): AsyncGenerator<DocumentItem> {
    yield* nestLocation(`${prefix}attachment ${this.#parts}`, this.#readObject(storage, this.#budget));
  }

  async *#message(message: Storage, prefix: string, depth: number): AsyncGenerator<DocumentItem> {
    const properties = await OutlookProperties.open(message, PROPERTIES_OF.attachedMessage);
    yield* this.read(message, properties, `${prefix}message ${this.#parts} `, depth + 1);
  }
}

async function* headerLines(message: Storage, properties: OutlookProperties): AsyncGenerator<string> {
  if (properties.has(SUBJECT)) {
    yield 'Subject: ';
    yield* properties.text(SUBJECT);
    yield '\n';
  }
  const date = properties.time(SENT) ?? properties.time(DELIVERED);
  if (date !== null) yield `Date: ${date}\n`;
  yield* peopleLines(message, properties);
  yield* properties.text(TRANSPORT_HEADERS);
}

async function* utf8(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}
