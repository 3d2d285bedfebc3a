/** Long-lived threads, so that no measurement includes starting and compiling. */
import { Worker } from 'node:worker_threads';
import type { Task } from './thread.ts';

type Work = Task extends infer T ? (T extends Task ? Omit<T, 'next'> : never) : never;

export interface Threads {
  /** All of it by so many threads: seconds, and how much they found together. */
  run(threads: number, work: Work): Promise<{ seconds: number; found: number }>;
  end(): Promise<void>;
}

export async function startThreads(max: number): Promise<Threads> {
  const workers = Array.from({ length: max }, () => new Worker(new URL('./thread.ts', import.meta.url)));
  await Promise.all(workers.map(answer));
  return {
    async run(threads, work) {
      const next = new SharedArrayBuffer(4);
      const began = performance.now();
      const answers = workers.slice(0, threads).map((worker) => {
        worker.postMessage({ ...work, next });
        return answer(worker);
      });
      const found = (await Promise.all(answers)).reduce((sum, one) => sum + one, 0);
      return { seconds: (performance.now() - began) / 1000, found };
    },
    end: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

function answer(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (found: number) => {
      worker.off('error', reject);
      resolve(found);
    });
  });
}
