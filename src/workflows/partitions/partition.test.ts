import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPartitionedConfigs,
  MAX_PARTITIONS,
  makeHashPartitionRule,
  makeReaderName,
  makeSlotReaderName,
  parsePartitionOption,
} from './partition.ts';

const usage = (message: string) =>
  expect.objectContaining({ kind: 'usage', message, hint: expect.any(String) });

describe('the name of a reader', () => {
  it('contains the workflow, the partition and the total', () => {
    expect(makeReaderName('order', 0, 3)).toBe('order_runner_partition_0_of_3');
  });

  it('of a slot contains the slot', () => {
    expect(makeSlotReaderName('order', 255)).toBe('order_slot_255');
  });

  it.each([-1, 3, 1.5, Number.NaN])('is not made for the partition %d of 3', (index) => {
    expect(() => makeReaderName('order', index, 3)).toThrow(usage(`There is no partition ${index} of 3.`));
  });
});

describe('the rule of a partition', () => {
  it.each([
    ['workflow-123', [1, 0, 1, 1, 5]],
    ['order-1', [0, 1, 0, 1, 4]],
    ['order-42', [0, 1, 0, 2, 12]],
    ['wf-å', [1, 2, 3, 3, 7]],
  ])('gives %s to the partition that the guide gives it to', (id, expected) => {
    const owners = [2, 3, 4, 5, 16].map((total) =>
      createPartitionedConfigs(total, 'order').filter(({ owns }) => owns(id)),
    );
    expect(owners.map((configs) => configs.map(({ partitionIndex }) => partitionIndex))).toEqual(
      expected.map((index) => [index]),
    );
  });

  it('gives every id to exactly one partition', () => {
    const property = fc.property(fc.string(), fc.integer({ min: 1, max: 40 }), (id, total) => {
      expect(createPartitionedConfigs(total, 'order').filter(({ owns }) => owns(id))).toHaveLength(1);
    });
    fc.assert(property);
  });

  it('is refused for a partition that there is not', () => {
    expect(() => makeHashPartitionRule(5, 5)).toThrow(usage('There is no partition 5 of 5.'));
  });
});

describe('the configurations of all partitions', () => {
  it('are one for each, in order', () => {
    const configs = createPartitionedConfigs(3, 'order');
    expect(configs.map(({ readerName }) => readerName)).toEqual([
      'order_runner_partition_0_of_3',
      'order_runner_partition_1_of_3',
      'order_runner_partition_2_of_3',
    ]);
    expect(configs[2]).toMatchObject({ partitionIndex: 2, totalPartitions: 3, workflow: 'order' });
  });

  it.each([0, -1, 2.5, Number.NaN, MAX_PARTITIONS + 1])('are refused for %d partitions', (total) => {
    expect(() => createPartitionedConfigs(total, 'order')).toThrow(
      usage(`A workflow can't have ${total} partitions.`),
    );
  });
});

describe('the configured partition of a process', () => {
  const env = (index?: string, total?: string) => ({ PARTITION_INDEX: index, TOTAL_PARTITIONS: total });

  it('comes from the option', () => {
    expect(parsePartitionOption('0/3', {})).toEqual({ index: 0, total: 3 });
    expect(parsePartitionOption(' 2 / 3 ', {})).toEqual({ index: 2, total: 3 });
  });

  it('comes from the environment when there is no option', () => {
    expect(parsePartitionOption(undefined, env('1', '3'))).toEqual({ index: 1, total: 3 });
    expect(parsePartitionOption('0/2', env('1', '3'))).toEqual({ index: 0, total: 2 });
  });

  it('is none when neither says so', () => {
    expect(parsePartitionOption(undefined, {})).toBeNull();
    expect(parsePartitionOption(undefined, env('', ' '))).toBeNull();
  });

  it('needs both variables', () => {
    expect(() => parsePartitionOption(undefined, env('0'))).toThrow(
      usage('PARTITION_INDEX is set, and TOTAL_PARTITIONS is not.'),
    );
    expect(() => parsePartitionOption(undefined, env('', '3'))).toThrow(
      usage('TOTAL_PARTITIONS is set, and PARTITION_INDEX is not.'),
    );
  });

  it.each(['', '0', '0/', '/3', '/', '0/3/5'])('is not valid as "%s"', (text) => {
    expect(() => parsePartitionOption(text, {})).toThrow(usage(`"${text}" is no partition.`));
  });

  it.each(['a/3', '-1/3', '0.5/3', '1e0/3', '0x0/3', '9999999999/3'])('is no number in %s', (text) => {
    const index = text.split('/')[0];
    expect(() => parsePartitionOption(text, {})).toThrow(usage(`"${index}" is no number of a partition.`));
  });

  it('must be one of those there are', () => {
    expect(() => parsePartitionOption('3/3', {})).toThrow(usage('There is no partition 3 of 3.'));
    expect(() => parsePartitionOption('0/0', {})).toThrow(usage("A workflow can't have 0 partitions."));
    expect(() => parsePartitionOption(undefined, env('7', '5'))).toThrow(
      usage('There is no partition 7 of 5.'),
    );
  });

  it('is read as it was written', () => {
    const partition = fc
      .integer({ min: 1, max: MAX_PARTITIONS })
      .chain((total) => fc.record({ total: fc.constant(total), index: fc.nat(total - 1) }));
    fc.assert(
      fc.property(partition, ({ index, total }) => {
        expect(parsePartitionOption(`${index}/${total}`, {})).toEqual({ index, total });
        expect(parsePartitionOption(undefined, env(String(index), String(total)))).toEqual({ index, total });
      }),
    );
  });
});
