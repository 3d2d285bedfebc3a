import { SeineError } from '../../../base/errors.ts';
import type { Database } from '../../../db/database.ts';
import type { ScanRow } from '../../lifecycle/scan-store.ts';
import type { HookResult } from '../hook.ts';
import { deliveryId, type Reference, type WebhookSettings } from '../hook.ts';
import type { HookContext } from '../hook-context.ts';
import type { HookAttempt } from '../hook-store.ts';
import { AllowList } from './allow-list.ts';
import { post } from './post.ts';
import { toHookResult } from './response-result.ts';
import { hmacSignature } from './signature.ts';
import { readSummary } from './summary.ts';
import { checkWebhookUrl } from './webhook-url.ts';

const TIMEOUT_MS = 10_000;

/** Makes one delivery. */
export async function runWebhook(
  db: Database,
  context: HookContext,
  hook: HookAttempt,
  settings: WebhookSettings,
  scan: ScanRow,
): Promise<HookResult> {
  const url = checkWebhookUrl(resolveReference(settings.url, context));
  const body = JSON.stringify(await readSummary(db, hook, scan));
  const headers = headersOf(settings, context, hook, body);
  const { allowPrivate } = settings;
  const reachable = { allowPrivate, allow: new AllowList(context.allow), resolve: context.resolve };
  const timeoutMs = context.timeoutMs ?? TIMEOUT_MS;
  return toHookResult(await post({ url, headers, body, reachable, timeoutMs }, context.signal));
}

function headersOf(
  { secret }: WebhookSettings,
  context: HookContext,
  hook: HookAttempt,
  body: string,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'User-Agent': 'Seine',
    'Seine-Delivery': deliveryId(hook),
    'Seine-Timestamp': String(hook.now),
    ...(secret && { 'Seine-Signature': hmacSignature(resolveReference(secret, context), hook.now, body) }),
  };
}

/** Another worker may have what this one lacks, so a failure is retryable. */
function resolveReference(reference: Reference, context: HookContext): string {
  try {
    return context.fetch(reference);
  } catch (error) {
    if (!(error instanceof SeineError)) throw error;
    throw new SeineError(error.kind, error.message, { retry: true, cause: error });
  }
}
