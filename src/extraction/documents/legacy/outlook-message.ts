import type { Budget } from '../../budget.ts';
import { Limit } from '../../obstacle.ts';
import type { Piece } from '../../piece.ts';
import { rtfPieces } from '../rtf/rtf.ts';
import { Setbacks } from '../setbacks.ts';
import { chunksOf } from '../stream-chunks.ts';
import { piecesOf } from '../text-writer.ts';
import type { Storage } from './compound-directory.ts';
import { decompressRtf } from './compressed-rtf.ts';
import { otherLines } from './outlook-others.ts';
import { PEOPLE_IDS, peopleLines } from './outlook-people.ts';
import { OutlookProperties, PROPERTIES_OF } from './outlook-properties.ts';
import { placedIn } from './placed-in.ts';

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
export type ReadObject = (storage: Storage, budget: Budget) => AsyncGenerator<Piece>;

/** Outlook's .msg [MS-OXMSG]: the head, the body in up to three forms, everything else it knows, the attachments. */
export async function* readOutlookMessage(
  message: Storage,
  budget: Budget,
  readObject: ReadObject,
): AsyncGenerator<Piece> {
  const properties = await OutlookProperties.open(message, PROPERTIES_OF.message);
  const reader = new MessageReader(budget, readObject);
  yield* reader.read(message, properties, '', 1);
  if (reader.tooDeep) throw new Limit('mail depth');
}

class MessageReader {
  readonly #budget: Budget;
  readonly #readObject: ReadObject;
  #parts = 0;
  /** Messages were left out; those beside them were read. */
  tooDeep = false;

  constructor(budget: Budget, readObject: ReadObject) {
    this.#budget = budget;
    this.#readObject = readObject;
  }

  /** `prefix`: before all places of a message within a message. */
  async *read(
    message: Storage,
    properties: OutlookProperties,
    prefix: string,
    depth: number,
  ): AsyncGenerator<Piece> {
    const setbacks = new Setbacks();
    yield* setbacks.attempt(piecesOf(`${prefix}headers`, headerLines(message, properties), 'eml'));
    yield* setbacks.attempt(this.#body(properties, prefix));
    yield* setbacks.attempt(piecesOf(`${prefix}properties`, otherLines(properties, READ_ELSEWHERE)));
    for (const storage of message.storagesLike(ATTACHMENT)) {
      if (++this.#parts > this.#budget.limits.mailParts) throw new Limit('mail parts');
      const attached = storage.storage(OBJECT);
      if (attached === null) yield* setbacks.attempt(this.#file(storage, properties.codePage, prefix));
      else if (attached.stream('__properties_version1.0') === null)
        yield* setbacks.attempt(this.#object(attached, prefix));
      else if (depth >= this.#budget.limits.mailDepth) this.tooDeep = true;
      else yield* setbacks.attempt(this.#message(attached, prefix, depth));
    }
    setbacks.finish();
  }

  /** RTF says nothing that the other forms don't. */
  async *#body(properties: OutlookProperties, prefix: string): AsyncGenerator<Piece> {
    const setbacks = new Setbacks();
    yield* setbacks.attempt(piecesOf(`${prefix}body`, properties.text(BODY)));
    const html = properties.binary(HTML);
    if (html !== null || properties.has(HTML)) {
      this.#budget.entry();
      const bytes = html === null ? utf8(properties.text(HTML)) : chunksOf(html, 0, html.size);
      yield { is: 'entry', name: `${prefix}body.html`, bytes };
    }
    const rtf = properties.binary(COMPRESSED_RTF);
    if (rtf !== null && html === null && !properties.has(BODY) && !properties.has(HTML)) {
      const pieces = rtfPieces(decompressRtf(rtf, this.#budget), this.#budget);
      yield* setbacks.attempt(placedIn(`${prefix}body`, pieces));
    }
    setbacks.finish();
  }

  async *#file(attachment: Storage, codePage: number, prefix: string): AsyncGenerator<Piece> {
    const properties = await OutlookProperties.open(attachment, PROPERTIES_OF.part, codePage);
    const data = properties.binary(DATA);
    if (data === null) return;
    const names = await Promise.all(FILE_NAMES.map((id) => properties.name(id)));
    const name = names.find((found) => found !== '') ?? `attachment ${this.#parts}`;
    this.#budget.entry();
    yield { is: 'entry', name: `${prefix}${name}`, bytes: chunksOf(data, 0, data.size) };
  }

  async *#object(storage: Storage, prefix: string): AsyncGenerator<Piece> {
    yield* placedIn(`${prefix}attachment ${this.#parts}`, this.#readObject(storage, this.#budget));
  }

  async *#message(message: Storage, prefix: string, depth: number): AsyncGenerator<Piece> {
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
