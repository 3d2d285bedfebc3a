import { describe, expect, it } from 'vitest';
import { continueAsNew } from '../decision.ts';
import { defineWorkflow } from '../define.ts';
import { act, after } from '../effects.ts';
import { depot, parcel } from './parcel.fixture.ts';
import { ofVersion, specOf } from './spec.ts';

const { given } = specOf(parcel);
const sent = { type: 'sent', grams: 500 } as const;

describe('a sentence', () => {
  it('that is true says nothing', async () => {
    await given(sent).when({ type: 'arrive' }).then({ type: 'arrived' });
    await given(sent)
      .when({ type: 'arrive' })
      .then([{ type: 'arrived' }]);
    await given([sent, { type: 'weighed' }], { type: 'reminded' }).thenState({
      grams: 500,
      history: ['sent', 'weighed', 'reminded'],
    });
    await given(sent).when({ type: 'weigh' }).then([]);
    await given(sent).when({ type: 'send', grams: 5 }).thenRejected('already sent');
    await given(sent)
      .when({ type: 'send', grams: 5 })
      .thenRejected(/already/);
    await given(sent)
      .when({ type: 'arrive' })
      .thenState({ grams: 500, history: ['sent', 'arrived'] });
  });

  it('knows where and when the command comes', async () => {
    const now = new Date('2026-05-01T10:00:00Z');
    await given()
      .when({ type: 'send', grams: 500 }, { now })
      .then([{ type: 'sent', grams: 500, on: '2026-05-01' }, { type: 'weighed' }]);
  });

  it('returns the effects of the events of a command, or of the last given event', async () => {
    const effects = [act('book', { grams: 500 }), after({ days: 2 }, { type: 'remind' } as const, 'once')];
    await given().when({ type: 'send', grams: 500 }).thenReacts(effects);
    await given(sent).thenReacts(effects);
    await given(sent, { type: 'weighed' }).thenReacts([]);
  });

  it('asserts continueAsNew', async () => {
    await given(sent)
      .when({ type: 'forget' })
      .thenContinuesAsNew({ grams: 500, history: ['forgotten'] });
    await expect(
      given(sent).when({ type: 'arrive' }).thenContinuesAsNew({ grams: 500, history: [] }),
    ).rejects.toThrow('It does not continue as new.');
  });

  it('returns the effects of received events', async () => {
    const depots = specOf(depot);
    await depots
      .given()
      .whenHeard({ workflow: 'parcel', type: 'sent', id: 'p1' })
      .then({ type: 'noted', what: 'p1 sent' });
    await depots.given().whenHeard({ workflow: 'parcel', type: 'weighed' }).then([]);
  });
});

describe('an event that is received', () => {
  it('is passed the state, id and time of the workflow that receives it', async () => {
    type Note = { readonly type: 'note'; readonly what: string };
    const diary = defineWorkflow<readonly string[], Note, { readonly type: 'noted'; readonly what: string }>({
      name: 'diary',
      initial: () => [],
      decide: (_, { what }) => ({ type: 'noted', what }),
      evolve: (state, { what }) => [...state, what],
      receive: ({ type }, { id, state, now }) =>
        state.includes(type)
          ? null
          : { type: 'note', what: `${id} ${type} ${now.toISOString().slice(0, 10)} ${state.length}` },
    });
    const { given } = specOf(diary);
    await given({ type: 'noted', what: 'x' })
      .whenHeard({ workflow: 'parcel', type: 'sent' }, { id: 'd1', now: new Date('2026-02-01') })
      .then({ type: 'noted', what: 'd1 sent 2026-02-01 1' });
    await given({ type: 'noted', what: 'sent' }).whenHeard({ workflow: 'parcel', type: 'sent' }).then([]);
  });
});

describe('a new beginning after events', () => {
  type Close = { readonly type: 'close' };
  type Closed = { readonly type: 'closed' };
  const books = defineWorkflow<number, Close, Closed>({
    name: 'books',
    initial: () => 0,
    decide: (state) => [{ type: 'closed' }, continueAsNew(state + 10)],
    evolve: (state) => state + 1,
  });

  it('is described with them', async () => {
    await specOf(books)
      .given({ type: 'closed' })
      .when({ type: 'close' })
      .thenContinuesAsNew(11, { type: 'closed' });
    const without = specOf(books).given().when({ type: 'close' }).thenContinuesAsNew(10);
    await expect(without).rejects.toThrow('The events before continueAsNew differ.');
  });
});

describe('a sentence that is false', () => {
  it('shows the difference', async () => {
    const other = given(sent).when({ type: 'arrive' }).then({ type: 'reminded' });
    await expect(other).rejects.toThrow(/The events differ\.[\s\S]*\+ .*'arrived'[\s\S]*- .*'reminded'/);
    await expect(given(sent).thenState({ grams: 1, history: ['sent'] })).rejects.toThrow(
      'The state differs.',
    );
    await expect(given(sent).thenReacts([])).rejects.toThrow('The effects differ.');
  });

  it('says why the command was rejected, and what came of one that was not', async () => {
    const again = given(sent).when({ type: 'send', grams: 5 });
    await expect(again.then([])).rejects.toThrow('It was rejected: already sent');
    await expect(again.thenReacts([])).rejects.toThrow('It was rejected: already sent');
    await expect(again.thenRejected('too late')).rejects.toThrow('already sent');
    await expect(again.thenRejected(/late/)).rejects.toThrow('already sent');
    await expect(given(sent).when({ type: 'arrive' }).thenRejected('late')).rejects.toThrow(
      'It was not rejected, but led to ["arrived"].',
    );
  });

  it('without an end says so', async () => {
    const sentence: unknown = given(sent).when({ type: 'arrive' });
    await expect(Promise.resolve(sentence)).rejects.toThrow('This spec has no assertion.');
  });
});

describe('events', () => {
  it('of an older version become those of today', async () => {
    await given(ofVersion(1, { type: 'sent', kilos: 2 })).thenState({ grams: 2000, history: ['sent'] });
    await given(ofVersion(2, { type: 'sent', grams: 2 })).thenState({ grams: 2, history: ['sent'] });
  });

  it('that are given must be what their schema says, old ones when they have become new', async () => {
    await expect(given({ type: 'sent', grams: 0 }).thenReacts([])).rejects.toThrow(
      'The event sent that is given is not what its schema says: grams: must be more than 0.',
    );
    await expect(given(ofVersion(1, { type: 'sent', kilos: 0 })).thenReacts([])).rejects.toThrow('schema');
  });

  it('are compared as they are stored', async () => {
    await given({ ...sent, on: undefined })
      .when({ type: 'arrive' })
      .then({ type: 'arrived' });
  });
});

describe('a command', () => {
  it('that is not what its schema says is rejected with its sentence', async () => {
    await given()
      .when({ type: 'send', grams: 0 })
      .thenRejected(/^The command send of parcel .* grams: must be more than 0\.$/);
  });
});
