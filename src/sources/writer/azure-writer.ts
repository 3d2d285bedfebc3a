import { randomUUID } from 'node:crypto';
import { SeineError } from '../../base/errors.ts';
import { accessOf } from '../azure/azure-access.ts';
import { mapAzureError } from '../azure/azure-failure.ts';
import { type AzureCall, AzureError, put } from '../azure/azure-http.ts';
import { createRequestSigner } from '../azure/azure-sign.ts';
import { parseAzureTarget, pathTo } from '../azure/azure-target.ts';
import type { SourceSettings } from '../settings.ts';
import type { MultipartStore, Upload } from './multipart-writer.ts';
import { folderPrefix, writeDenied } from './target-prefix.ts';

/** A container of Azure Blob Storage: blocks become a blob when they are committed. The service deletes uncommitted ones after a week. */
export function createAzureMultipart(target: string, settings: SourceSettings): MultipartStore {
  const parsed = parseAzureTarget(target);
  const access = accessOf(parsed, settings);
  const { container } = parsed;
  const endpoint = new URL(access.endpoint);
  const signing = createRequestSigner(access);

  async function send(
    name: string,
    { parameters = {}, headers = {}, body }: Partial<AzureCall> & { readonly body: Uint8Array },
    signal: AbortSignal,
  ): Promise<void> {
    const length = { 'content-length': String(body.length) };
    const path = pathTo(endpoint, container, name);
    const call = { method: 'PUT', path, parameters, headers: { ...headers, ...length }, body } as const;
    await signing.send(call, (signed) => put(endpoint, signed, signal));
  }

  return {
    prefix: folderPrefix(parsed.prefix),
    putWhole: (name, body, signal) =>
      send(name, { headers: { 'x-ms-blob-type': 'BlockBlob', ...BYTES }, body }, signal),
    beginUpload: async () => randomUUID(),
    async putPart(upload, { number }, body, signal) {
      const id = blockId(upload, number);
      await send(upload.name, { parameters: { comp: 'block', blockid: id }, body }, signal);
      return id;
    },
    async commit({ name }, pieces, signal) {
      const list = pieces.map((id) => `<Latest>${id}</Latest>`).join('');
      const body = Buffer.from(`<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`);
      const headers = { 'content-type': 'application/xml', 'x-ms-blob-content-type': BYTES['content-type'] };
      await send(name, { parameters: { comp: 'blocklist' }, headers, body }, signal);
    },
    mapError(error, key) {
      const code = error instanceof AzureError ? error.code : null;
      if (code === 'InvalidBlockList')
        return { error: new SeineError('changed', 'Blocks of a blob are gone.') };
      if (code === 'AuthorizationPermissionMismatch' || code === 'AuthorizationFailure') {
        return writeDenied(
          target,
          'the role Storage Blob Data Contributor, or a SAS token with the right to write,',
        );
      }
      const { account, endpoint } = access;
      const isRenewed = () => signing.isRenewed(error);
      return mapAzureError(error, { key, container, account, endpoint, isRenewed });
    },
  };
}

const BYTES = { 'content-type': 'application/octet-stream' };

/** Of the same length for all blocks of a blob, as the service requires. */
function blockId({ id }: Upload, number: number): string {
  return Buffer.from(`${id}-${String(number).padStart(6, '0')}`).toString('base64');
}
