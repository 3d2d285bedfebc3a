import { defineConfig } from 'vitest/config';

const project = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, exclude: ['**/node_modules/**'], ...more },
});

/** Every core has its process, and a process loads the modules once for all its files: none of them may replace one. */
const SIDE_BY_SIDE = { maxWorkers: '100%', isolate: false };

export default defineConfig({
  test: {
    projects: [
      project(
        'unit',
        ['src/**/*.test.ts', 'scripts/*.test.ts', 'examples/**/*.test.ts', 'bench/**/*.test.ts'],
        {
          exclude: ['**/*.db.test.ts', '**/*.store.test.ts', '**/node_modules/**'],
          ...SIDE_BY_SIDE,
          testTimeout: 180_000, // a property of many cases takes ten times as long on a crowded machine
        },
      ),
      project('db', ['src/**/*.db.test.ts', 'test/simulation/*.db.test.ts', 'examples/**/*.db.test.ts'], {
        ...SIDE_BY_SIDE,
        globalSetup: ['test/support/database.ts'],
        testTimeout: 60_000,
        hookTimeout: 180_000, // a database is dropped with a checkpoint, which waits for the disk
        expect: { poll: { timeout: 50_000 } }, // who waits for something waits as long as a test may take
      }),
      project('stores', ['test/stores/**/*.test.ts', 'src/**/*.store.test.ts'], {
        globalSetup: ['test/support/database.ts', 'test/stores/setup.ts'],
        testTimeout: 120_000,
        hookTimeout: 300_000,
        fileParallelism: false,
      }),
      project('e2e', ['test/e2e/**/*.test.ts'], {
        maxWorkers: '100%',
        testTimeout: 180_000,
        hookTimeout: 300_000,
      }),
      // Leases of two seconds end early where others take the processor.
      project('chaos', ['test/chaos/**/*.test.ts'], {
        testTimeout: 180_000,
        hookTimeout: 300_000,
        fileParallelism: false,
      }),
      project('browser', ['test/browser/**/*.test.ts'], { testTimeout: 60_000 }),
    ],
  },
});
