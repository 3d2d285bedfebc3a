import { randomUUID } from 'node:crypto';
import type { BlockBlobClient, ContainerClient } from '@azure/storage-blob';
import { SeineError } from '../../base/errors.ts';
import { accessOf } from '../azure/azure-access.ts';
import { connectAzure } from '../azure/azure-connection.ts';
import { azureAnswerIn, explainAzure } from '../azure/azure-failure.ts';
import { parseAzureTarget } from '../azure/azure-target.ts';
import type { SourceSettings } from '../settings.ts';
import type { PieceStore, Upload } from './piece-writer.ts';
import { folderPrefix, mayNotWrite } from './target-prefix.ts';

/** A container of Azure Blob Storage: blocks that become a blob when they are committed. The service forgets others in a week. */
export function createAzurePieces(target: string, settings: SourceSettings): PieceStore {
  const parsed = parseAzureTarget(target);
  const access = accessOf(parsed, settings);
  const { container } = parsed;
  let connection: Promise<ContainerClient> | undefined;

  async function blob(name: string): Promise<BlockBlobClient> {
    connection ??= connectAzure(access, container);
    return (await connection).getBlockBlobClient(name);
  }

  return {
    prefix: folderPrefix(parsed.prefix),
    async putWhole(name, bytes, abortSignal) {
      await (await blob(name)).upload(bytes, bytes.length, { abortSignal });
    },
    begin: async () => randomUUID(),
    async putPiece(upload, { number }, bytes, abortSignal) {
      const id = blockId(upload, number);
      await (await blob(upload.name)).stageBlock(id, bytes, bytes.length, { abortSignal });
      return id;
    },
    async commit({ name }, pieces, abortSignal) {
      await (await blob(name)).commitBlockList([...pieces], { abortSignal });
    },
    explain(error, key) {
      const code = azureAnswerIn(error)?.code; // an answer without a body has it in a header only
      if (code === 'InvalidBlockList')
        return { error: new SeineError('changed', 'Blocks of a blob are gone.') };
      if (code === 'AuthorizationPermissionMismatch' || code === 'AuthorizationFailure') {
        return mayNotWrite(
          target,
          'the role Storage Blob Data Contributor, or a SAS token with the right to write,',
        );
      }
      return explainAzure(error, { key, container, account: access.account, endpoint: access.endpoint });
    },
  };
}

/** Of the same length for all blocks of a blob, as the service wants it. */
function blockId({ id }: Upload, number: number): string {
  return Buffer.from(`${id}-${String(number).padStart(6, '0')}`).toString('base64');
}
