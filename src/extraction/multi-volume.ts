/** Archives that were cut into several files are not put together again, but what is one of those is not called damaged. */
import { endOfSeveral } from './archives/zip/zip-end.ts';
import type { RandomAccess } from './document-item.ts';
import type { ExtractionResult } from './extraction.ts';
import { MULTI_VOLUME, Unsupported } from './extraction-error.ts';
import { partialResult, skippedResult } from './push-parser.ts';

/** `x.zip.001`, `x.tar.gz.02`, `x.z01`. */
const VOLUME_NAME = /\.(zip|zipx|jar|7z|tar|t?gz|tbz2?|bz2|txz|xz|t?zst|lzma)\.\d{2,4}$|\.z\d{2}$/i;
/** The last volume of a multi-volume zip archive has the usual name, and begins in the middle of an entry. */
const LAST_VOLUME_NAME = /\.(zip|zipx|jar)$/i;
/** The end record, and the maximum comment after it. */
const TAIL = 22 + 0xffff;

const REASON = new Unsupported(MULTI_VOLUME).message;

/** What seems to be truncated continues in the next volume. */
export function markMultiVolume(name: string, result: ExtractionResult): ExtractionResult {
  if (result.state === 'read' || !VOLUME_NAME.test(name)) return result;
  if (result.state === 'skipped')
    return /^unsupported format: binary data/.test(result.reason) ? skippedResult(REASON) : result;
  return /^corrupt: truncated/.test(result.reason) ? partialResult(REASON, result.format) : result;
}

export function isMultiVolume(result: ExtractionResult | null): boolean {
  return result !== null && result.state !== 'read' && result.reason === REASON;
}

/** For data of unknown type. */
export function isLastVolumeBytes(name: string, bytes: Uint8Array): boolean {
  return LAST_VOLUME_NAME.test(name) && endOfSeveral(bytes.subarray(Math.max(0, bytes.length - TAIL)));
}

/** The same of what can be read from anywhere. */
export async function isLastVolume(name: string, access: RandomAccess): Promise<boolean> {
  return (
    LAST_VOLUME_NAME.test(name) &&
    endOfSeveral(await access.read(Math.max(0, access.size - TAIL), access.size))
  );
}

export const multiVolumeResult: ExtractionResult = skippedResult(REASON);
