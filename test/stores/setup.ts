/** Vitest runs it once for the project `stores`: the real servers that all its tests share. */
import type { TestProject } from 'vitest/node';
import { type Rgw, startRgw, whyNoRgw } from '../support/servers/rgw.ts';

/** A server, or the reason why there is none here: then its tests are skipped, and counted as such. */
export type Server<Address> = Address | { readonly missing: string };

declare module 'vitest' {
  interface ProvidedContext {
    s3: Server<Omit<Rgw, 'stop'>>;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = await whyNoRgw();
  if (missing !== null) {
    project.provide('s3', { missing });
    return async () => {};
  }
  const { stop, ...address } = await startRgw();
  project.provide('s3', address);
  return stop;
}
