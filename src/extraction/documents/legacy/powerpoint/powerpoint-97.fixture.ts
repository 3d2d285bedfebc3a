import type { Tree } from '../compound-file/compound-file.fixture.ts';

/** Writes the streams of presentations. */
export interface SlideFixture {
  /** Texts of placeholders, which are in the document's list. */
  readonly outline?: readonly string[];
  /** Texts of shapes, which are in the slide. */
  readonly shapes?: readonly string[];
  readonly notes?: string;
}

export function record(type: number, data: Uint8Array, instance = 0, version = 0): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE((instance << 4) | version, 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
}

export const container = (type: number, children: readonly Buffer[], instance = 0): Buffer =>
  record(type, Buffer.concat(children), instance, 15);

/** Narrow where that is enough. */
export const text = (value: string): Buffer =>
  /[^\0-\xff]/.test(value)
    ? record(0xfa0, Buffer.from(value, 'utf16le'))
    : record(0xfa8, Buffer.from(value, 'latin1'));

export const cString = (value: string, instance = 0): Buffer =>
  record(0xfba, Buffer.from(value, 'utf16le'), instance);

const words = (...values: readonly number[]) => Buffer.from(Uint32Array.from(values).buffer);
const header = (kind: number) => record(0xf9f, words(kind));

/** A shape within groups of drawings, as deep as they are in a slide. */
export const shape = (value: string): Buffer => {
  const box = container(0xf00d, [header(4), text(value)]);
  return container(0x40c, [container(0xf002, [container(0xf003, [container(0xf004, [box])])])]);
};

const slideId = (index: number) => 256 + index;

/** Objects are numbered from 1: the document, then the slides, then their notes. */
export function presentationStreams(slides: readonly SlideFixture[], more: readonly Buffer[] = []): Tree {
  const noted = slides.map((slide, i) => ({ ...slide, i })).filter(({ notes }) => notes !== undefined);
  const objects = [
    documentOf(slides),
    ...slides.map(({ shapes = [] }) =>
      container(0x3ee, [record(0x3ef, Buffer.alloc(24)), ...shapes.map(shape)]),
    ),
    ...noted.map(({ notes, i }) => container(0x3f0, [record(0x3f1, words(slideId(i), 0)), shape(notes!)])),
  ];
  let at = 0;
  const offsets = objects.map(({ length }) => {
    at += length;
    return at - length;
  });
  const directory = record(0x1772, words((objects.length << 20) | 1, ...offsets));
  const edit = record(0xff5, Buffer.concat([words(0, 0x03000000, 0, at, 1, objects.length + 1, 0)]));
  const stream = Buffer.concat([...objects, directory, edit, ...more]);
  return {
    'PowerPoint Document': stream,
    'Current User': currentUser(at + directory.length, 0xe391c05f),
  };
}

export function currentUser(edit: number, token: number): Buffer {
  return record(0xff6, Buffer.concat([words(20, token, edit, 3), Buffer.from('Ann')]));
}

function documentOf(slides: readonly SlideFixture[]): Buffer {
  const list = slides.flatMap(({ outline = [] }, i) => [
    record(0x3f3, words(i + 2, 0, outline.length, slideId(i), 0)),
    ...outline.flatMap((value) => [header(1), text(value)]),
  ]);
  const master = [record(0x3f3, words(99, 0, 1, 9, 0)), header(0), text('Click to edit')];
  return container(0x3e8, [
    record(0x3e9, Buffer.alloc(40)),
    container(0x3f2, [cString('!),.:;?]}')]),
    container(0xff0, master, 1),
    container(0xff0, list, 0),
    container(0xfd9, [cString('the footer')]),
  ]);
}
