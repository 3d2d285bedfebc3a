import { ensureComponent } from '../../base/components/install-component.ts';
import { DEFAULT_LIMITS } from '../../extraction/budget/limits.ts';
import type { ExtractionOptions } from '../../extraction/extract.ts';
import { IsolatedReaders, type IsolationOptions } from '../../extraction/isolation/isolated-readers.ts';
import type { RuleSet } from '../../governance/rule-set.ts';

export interface IsolatedExtractionOptions extends ExtractionOptions {
  readonly documents: IsolatedReaders;
}

/** The extraction options for these rules. */
export function extractionOptionsFor(
  { reading }: RuleSet,
  isolation: IsolationOptions = {},
): IsolatedExtractionOptions {
  const { onProgress, memory } = isolation;
  return {
    limits: { ...DEFAULT_LIMITS, ...reading.limits },
    options: { ocr: reading.ocr },
    documents: new IsolatedReaders(isolation),
    ...(onProgress && { onProgress }),
    ...(memory && { largeWindows: memory.largeWindows }),
  };
}

/** Before the first document is read with these rules: a reader process can install nothing. */
export async function ensureOcr({ reading }: RuleSet): Promise<void> {
  if (reading.ocr) await ensureComponent('ocr');
}
