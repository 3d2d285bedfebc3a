/**
 * The PDF library, with some internals that it does not export. It is a single file, whose source is modified when it is loaded to export
 * a few more names. They are minified, so the expressions below match one version; loading another one fails and says so.
 */
import { registerHooks } from 'node:module';
import { UnsupportedLibrary } from '../../../extraction-error.ts';
import { installFastStrings } from '../text/fast-strings.ts';
import { installFastText } from '../text/fast-text.ts';
import type { AnnotationInternals, Library, LibraryInternals, Objects } from './library-internals.ts';
import { MAX_INFLATED, notifyListeners } from './platform.ts';

const FILE = '/unpdf/dist/pdfjs.mjs';
/** The internal expression behind each new export name. */
export const HIDDEN: Readonly<Record<keyof LibraryInternals, string>> = {
  Evaluator: '=class PartialEvaluator{',
  OperationReader: '=class EvaluatorPreprocessor{',
  Stream: '=class Stream extends ',
  Lexer: '=class{constructor(e,t=null){this.stream=e,this.nextChar(),',
  FileSpec: '=class FileSpec{',
  AnnotationClass: '=class{appearance=null;_oc=void 0;',
  bidi: '(e,t=-1,n=!1){let r=!0,i=e.length;',
};
/** Longer than any of those names. */
const NAME_LENGTH = 40;

let loading: Promise<Library> | null = null;

export function pdfLibrary(): Promise<Library> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Library> {
  let isModified = false;
  const hooks = registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(FILE) || !(loaded.source instanceof Uint8Array)) return loaded;
      isModified = true;
      return { ...loaded, source: Buffer.concat([loaded.source, Buffer.from(moreExports(loaded.source))]) };
    },
  });
  try {
    const library = (await import('unpdf/pdfjs')) as Library & LibraryInternals;
    if (!isModified) throw new UnsupportedLibrary('unpdf', 'its internals were not exported');
    installFastText(library, library);
    installFastStrings(library);
    readDrawnAnnotations(library);
    readAttachmentsOnce(library);
    return library;
  } finally {
    hooks.deregister();
  }
}

/** The statement that exports the internals. Throws if one of the expressions no longer occurs exactly once, after a name. */
export function moreExports(source: Uint8Array): string {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.length);
  const names = Object.entries(HIDDEN).map(([name, behind]) => {
    const end = bytes.indexOf(behind);
    const before = bytes.toString('latin1', Math.max(0, end - NAME_LENGTH), Math.max(0, end));
    const hidden = /[\w$]+$/.exec(before)?.[0];
    if (hidden === undefined || bytes.includes(behind, end + 1))
      throw new UnsupportedLibrary('unpdf', `${name} is not where it was`);
    return `${hidden} as ${name}`;
  });
  return `\nexport { ${names.join(', ')} };`;
}

/**
 * Files that are attached, as the library reads them: all at once, and again for each of the names that a file may have.
 * A few kilobytes could name gigabytes that way, so a stream is read once, and no further than it may be long.
 */

/** Another name of a stream that was read already. */
const READ_BEFORE = new Uint8Array(0);

/** Streams that were read, by their numbers, of each document. */
const seen = new WeakMap<Objects, Set<string>>();

/** From now on. */
function readAttachmentsOnce({ FileSpec }: LibraryInternals): void {
  const whole = FileSpec.readStreamContent;
  FileSpec.readStreamContent = function readStreamContent(stream) {
    const { objId: id, xref } = stream.dict ?? {};
    if (!xref || !id) return whole.call(FileSpec, stream);
    const known = seen.get(xref) ?? new Set();
    seen.set(xref, known);
    if (known.has(id)) return READ_BEFORE;
    // Uncompressed streams are part of the document, which is in memory already.
    const max = Math.max(MAX_INFLATED, xref.stream.length);
    const bytes = whole.call(FileSpec, {
      dict: stream.dict ?? null,
      getBytes: () => stream.getBytes(max + 1),
    });
    known.add(id);
    if (bytes.length <= max) return bytes;
    notifyListeners((pattern) => pattern.cut('decompressed size'));
    return bytes.subarray(0, max);
  };
}

/**
 * The library extracts the appearance text of text fields and free text annotations only. The appearance of a signature or a stamp (who
 * signed, when, with which address) may not be available anywhere else in the document.
 */

/** From now on. */
function readDrawnAnnotations({ AnnotationClass: { prototype } }: LibraryInternals): void {
  Object.defineProperty(prototype, 'hasTextContent', {
    configurable: true,
    get(this: AnnotationInternals): boolean {
      const { fieldType, subtype } = this.data;
      return this.appearance !== null && (fieldType === 'Sig' || subtype === 'Stamp');
    },
  });
}
