/** The result of an archive or a document, combined from the results of its contents. */
import type { ExtractionResult, FormatName } from './extraction.ts';
import type { ExtractionError } from './extraction-error.ts';
import { partialResult, readResult, skippedResult } from './push-parser.ts';

export class ExtractionResultBuilder {
  #hasContent = false; // of it was read
  #firstError: string | null = null; // the first counts

  /** Text of its own. */
  addText(): void {
    this.#hasContent = true;
  }

  addEmbedded(result: ExtractionResult): void {
    if (result.state !== 'skipped') this.#hasContent = true;
    if (result.state !== 'read')
      this.#firstError ??= result.reason.replace(/^unsupported format:/, 'unsupported inside:');
  }

  addError({ message }: ExtractionError): void {
    this.#firstError ??= message;
  }

  build(format: FormatName): ExtractionResult {
    if (this.#firstError === null) return readResult(format);
    const refused = !this.#hasContent && !/^(corrupt|limit)/.test(this.#firstError);
    return refused ? skippedResult(this.#firstError) : partialResult(this.#firstError, format);
  }
}
