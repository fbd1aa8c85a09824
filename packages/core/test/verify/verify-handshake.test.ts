import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { building, handshake, play, releasable } from '../story.ts';
import { board, statuses } from './builds.ts';
import { declare, events, INPUT } from './handshakes.ts';

describe('verify_handshake', () => {
  test('stores what was declared, and no more', () => {
    expect(events({}, building)).toEqual([
      { kind: 'handshake.declared', actor: 'agent_b', data: { ...INPUT, commit_changed: false } },
    ]);
    expect(declare().reply()).toMatchObject({
      handshake: { by: 'agent_b', ...INPUT, skew_ms: null, declared_at: '2026-01-05T09:01:00.000Z' },
      commit_changed: false,
      next_actions: [],
    });
  });

  test('stores every optional field', () => {
    const more = {
      branch: 'main',
      address: 'http://127.0.0.1:4801/v1',
      capabilities: ['reserve'],
      fixture_version: '1',
      interfaces: ['reservations', { name: 'events', version: '2' }],
      clock: { now: '2026-01-05T09:01:00Z' },
    };
    expect(events(more, building)).toEqual([
      { kind: 'handshake.declared', actor: 'agent_b', data: { ...INPUT, ...more, skew_ms: 0, commit_changed: false } },
    ]);
    const past = play(building, [handshake('agent_b', more)]);
    expect(board(past).handshakes.agent_b).toMatchObject({ ...more, skew_ms: 0 });
  });

  test.each(['https://ann:secret@stock.example/v1', 'curl http://ann@127.0.0.1:4801', 'HTTP://@stock.example'])(
    'refuses an address with a user name or a password: %s',
    (address) => {
      given(building)
        .when('verify_handshake', { ...INPUT, address }, 'agent_b')
        .thenFails('INVALID_INPUT');
    },
  );

  test.each(['http://127.0.0.1:4801/users/@ann', 'node bin/stock.js --mail ann@stock.example'])(
    'accepts another address with an @: %s',
    (address) => {
      expect(
        given(building)
          .when('verify_handshake', { ...INPUT, address }, 'agent_b')
          .reply(),
      ).toMatchObject({
        handshake: { address },
      });
    },
  );
});

describe('the clock of a handshake', () => {
  test.each([
    ['2026-01-05T09:01:00Z', 0],
    ['2026-01-05T09:01:07.250Z', 7_250],
    ['2026-01-05T09:00:00Z', -60_000],
    ['2026-01-05T10:01:00+01:00', 0],
    ['2025-12-31T23:59:00Z', -378_120_000],
  ])('%s is ahead by %i ms', (now, skew_ms) => {
    const { handshake: shown } = declare({ clock: { now } }).reply();
    expect(shown).toMatchObject({ skew_ms });
  });

  test.each(['09:01', 'now', '2026-01-05', '2026-13-05T09:01:00Z', '2026-01-05T09:01:00'])('refuses %j', (now) => {
    declare({ clock: { now } }).thenFails('INVALID_INPUT');
  });
});

describe('the commit of a handshake', () => {
  const short = (changes: object) => declare(changes, play(building, [handshake('agent_b', { commit: 'ABCDEF1' })]));

  test.each([
    ['ABCDEF123', 'abcdef123'],
    ['abcdef1', 'abcdef1'],
    ['AbCdEf1', 'abcdef1'],
  ])('abcdef1 and %s are the same, and the longer form is kept in lower case', (commit, kept) => {
    const { handshake: shown, commit_changed } = short({ commit }).reply();
    expect([shown.commit, commit_changed]).toEqual([kept, false]);
  });

  test('the longer form stays when the shorter is declared again', () => {
    const past = play(
      building,
      ['abcdef1', 'ABCDEF1234', 'abcdef12'].map((commit) => handshake('agent_b', { commit })),
    );
    expect(board(past).handshakes.agent_b?.commit).toBe('abcdef1234');
    expect(declare({ commit: 'abcdef13' }, past).reply()).toMatchObject({ commit_changed: true });
  });

  test('that differs is named together with the earlier commit', () => {
    expect(short({ commit: 'ABCDEF2' }).events()).toMatchObject([
      { data: { commit: 'abcdef2', commit_changed: true, previous_commit: 'abcdef1' } },
    ]);
  });

  test.each(['abcdef', 'a'.repeat(65), 'abcdefg', ' abcdef1', 'abcdef1\n', 'HEAD', '', '0xabcdef1'])(
    'refuses %j',
    (commit) => {
      declare({ commit }).thenFails('INVALID_INPUT');
    },
  );

  test.each(['0123456', 'F'.repeat(64)])('accepts %s', (commit) => {
    declare({ commit }).reply();
  });

  test('is the same for a pass when its longer form is declared', () => {
    const past = play(building, [
      handshake('agent_a', { commit: 'aaaaaaa' }),
      handshake('agent_b', { commit: 'BBBBBBB' }),
      ['agent_a', 'verify_start_attempt', { scenario_id: 'test-reserve' }],
      handshake('agent_b'),
    ]);
    expect(statuses(past)[0]).toBe('test-reserve OPEN');
    const said = { scenario_id: 'test-reserve', attempt: 1, kind: 'log', claim: 'c', summary: 's', request_id: 'r' };
    const { commit } = given(past)
      .when('verify_submit_evidence', said as never, 'agent_b')
      .reply();
    expect(commit).toBe('b'.repeat(40));
  });
});

describe('a handshake that is declared again', () => {
  test('with nothing new stores nothing', () => {
    const more = {
      branch: 'main',
      interfaces: [{ name: 'events', version: '2' }],
      clock: { now: '2026-01-05T09:00:00Z' },
    };
    const past = play(building, [handshake('agent_b', more)]);
    declare(more, past).thenEvents();
    declare({ ...more, commit: 'BBBBBBB' }, past).thenEvents();
    declare({ ...more, clock: { now: '2026-01-05T10:00:00Z' } }, past).thenEvents();
    expect(
      declare({ ...more, clock: undefined }, past)
        .thenEvents()
        .reply(),
    ).toMatchObject({
      handshake: { declared_at: '2026-01-05T09:00:00.000Z', skew_ms: -60_000 },
      commit_changed: false,
    });
  });

  test.each<{ skew_ms?: number; [field: string]: unknown }>([
    { service: 'stock-2' },
    { version: '1.0.1' },
    { environment: 'ci' },
    { ready: false },
    { dependencies_healthy: false },
    { branch: 'main' },
    { capabilities: [] },
    { fixture_version: '1' },
    { interfaces: ['reservations'] },
    { clock: { now: '2026-01-05T09:01:00Z' }, skew_ms: 0 },
  ])('with %j stores it and keeps passes', ({ skew_ms, ...changes }) => {
    expect(events(changes, releasable)).toEqual([
      {
        kind: 'handshake.declared',
        actor: 'agent_b',
        data: { ...INPUT, ...changes, ...(skew_ms === undefined ? {} : { skew_ms }), commit_changed: false },
      },
    ]);
    expect(statuses(play(releasable, [handshake('agent_b', changes)]))).toEqual([
      'test-reserve PASSED',
      'test-expiry PASSED',
    ]);
  });
});

describe('the environment of a handshake', () => {
  test.each(['production', 'prod', 'PROD-eu', 'Live-2', 'prod env'])('%j is refused and nothing is stored', (name) => {
    declare({ environment: name }).thenFails('PRODUCTION_REFUSED', {});
  });

  test.each([
    'local',
    'Staging EU',
    'pre-prod',
    'team/preview-7',
    'both on this machine, on 127.0.0.1',
    'x'.repeat(200),
  ])('%j is accepted', (name) => {
    expect(declare({ environment: name }).reply().handshake.environment).toBe(name);
  });

  test.each(['', ' ', 'prоd', 'pröd', 'a\nb', '-', 'x'.repeat(201)])('%j is not a name', (name) => {
    declare({ environment: name }).thenFails('INVALID_INPUT');
  });
});
