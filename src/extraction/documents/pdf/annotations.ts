/** The annotations of a page: links, comments, form fields, files. */
import { propertyLine } from '../property.ts';

export interface PageNotes {
  readonly lines: readonly string[];
  readonly fields: readonly string[];
  readonly files: readonly PageFile[];
}

export interface PageFile {
  readonly id: string;
  readonly name: string;
}

type Annotation = Readonly<Record<string, unknown>>;

export function notesOf(annotations: readonly Annotation[]): PageNotes {
  const notes = { lines: [] as string[], fields: [] as string[], files: [] as PageFile[] };
  for (const annotation of annotations) {
    const field = textOf(annotation.fieldName);
    if (field !== '') notes.fields.push(field);
    notes.lines.push(...linesOf(annotation, field));
    const id = textOf(annotation.fileId);
    if (id !== '') notes.files.push({ id, name: textOf(part(annotation.file, 'filename')) });
  }
  return notes;
}

function* linesOf(annotation: Annotation, field: string): Generator<string> {
  // A window shows the comment of the annotation it belongs to.
  if (annotation.subtype === 'Popup') return;
  const url = textOf(annotation.url) || textOf(annotation.unsafeUrl);
  if (url !== '') yield url;
  if (field === '') yield* commentLines(annotation);
  else yield* fieldLines(field, annotation);
}

function* commentLines(annotation: Annotation): Generator<string> {
  const comment = textOf(part(annotation.contentsObj, 'str')) || textOf(annotation.textContent);
  const author = textOf(part(annotation.titleObj, 'str'));
  if (comment !== '') yield author === '' ? comment : `${author}: ${comment}`;
}

/** A field's value, or the text of its appearance if it has none. */
function* fieldLines(field: string, annotation: Annotation): Generator<string> {
  const help = textOf(annotation.alternativeText);
  const name = help === '' || help === field ? field : `${field} (${help})`;
  yield* propertyLine(name, fieldValue(annotation.fieldValue) || textOf(annotation.textContent));
}

/** A check box that is not ticked has no text. */
export function fieldValue(value: unknown): string {
  const text = textOf(value);
  return text === 'Off' ? '' : text;
}

/** Lists are chosen values of a field, or lines. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').join('\n') : '';
}

function part(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
