/**
 * The PDF library, with some internals that it does not export. It is a single file, whose source is modified when it is loaded to export
 * a few more names. If a future version renames one of them, the internals are unavailable, and only the public interface is used.
 */
import { registerHooks } from 'node:module';
import { installFastStrings } from '../text/fast-strings.ts';
import { installFastText } from '../text/fast-text.ts';
import { readDrawnAnnotations } from './annotation-appearance.ts';
import { readAttachmentsOnce } from './attached-streams.ts';
import type { Library, LibraryInternals } from './library-internals.ts';

const FILE = '/unpdf/dist/pdfjs.mjs';
/** The internal expression behind each new export name. */
const HIDDEN: Readonly<Record<keyof LibraryInternals, string>> = {
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
  const hooks = registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(FILE) || !(loaded.source instanceof Uint8Array)) return loaded;
      return { ...loaded, source: Buffer.concat([loaded.source, Buffer.from(moreExports(loaded.source))]) };
    },
  });
  try {
    const library: Library & Partial<LibraryInternals> = await import('unpdf/pdfjs');
    if (hasInternals(library)) {
      installFastText(library, library);
      installFastStrings(library);
      readDrawnAnnotations(library);
      readAttachmentsOnce(library);
    }
    return library;
  } finally {
    hooks.deregister();
  }
}

function moreExports(source: Uint8Array): string {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.length);
  const names = Object.entries(HIDDEN).map(([name, behind]) => {
    const end = bytes.indexOf(behind);
    const before = bytes.toString('latin1', Math.max(0, end - NAME_LENGTH), Math.max(0, end));
    return [/[\w$]+$/.exec(before)?.[0], name];
  });
  if (names.some(([hidden]) => hidden === undefined)) return '';
  return `\nexport { ${names.map(([hidden, name]) => `${hidden} as ${name}`).join(', ')} };`;
}

function hasInternals(library: Library & Partial<LibraryInternals>): library is Library & LibraryInternals {
  return library.Evaluator !== undefined;
}
