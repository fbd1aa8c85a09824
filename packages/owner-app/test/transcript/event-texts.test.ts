import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { YOU } from '../../src/transcript/event-text.ts';
import { describeEvent } from '../../src/transcript/event-texts.ts';
import { createIdIndex } from '../../src/transcript/id-index.ts';
import { printed } from './printed.ts';

describe('every event of the catalogue', () => {
  test('has a saying of its own, or is passed over in silence', async () => {
    const unsaid = (await kinds()).filter((kind) => printed('agent_a', kind, SAMPLE).join('\n').includes(kind));
    expect(unsaid).toEqual([]);
    expect(printed('agent_a', 'moon.landed', SAMPLE).join('\n')).toContain('moon.landed');
  });
});

test('after "You", no heading of an event begins with a verb in the third person', async () => {
  const context = { ids: createIdIndex(), nameOf: (role: string) => role, say: YOU };
  const headings = (await kinds()).map(
    (kind) => describeEvent({ id: 1, at: 'no time', from: 'owner', kind, body: SAMPLE }, context).heading,
  );
  const spoken = headings.filter(Boolean);
  expect(spoken.length).toBeGreaterThan(40);
  expect(spoken.filter((heading) => /^[a-z]+s(?: |$)/.test(heading))).toEqual([]);
});

test.each([
  ['You', YOU, ['authorize the activation of m_1', 'You have authorized the activation of these commits']],
  [
    'a name',
    undefined,
    ['authorizes the activation of m_1', 'The owner has authorized the activation of these commits'],
  ],
])('heading and outcome after %s', (_, say, words) => {
  const context = { ids: createIdIndex(), nameOf: (role: string) => role, ...(say && { say }) };
  const message = { id: 1, at: '', from: 'owner', kind: 'activation.authorized', body: { manifest_id: 'm_1' } };
  const { heading, outcome } = describeEvent(message, context);
  expect([heading, outcome]).toEqual(words);
});

describe('every message that the event catalogue lists', () => {
  test('reads as words, and never as raw JSON', async () => {
    const raw = (await messageKinds()).filter((kind) => printed('agent_a', kind, SAMPLE).join('\n').includes('{"'));
    expect(raw).toEqual([]);
  });

  test('reaches a terminal without what could move its cursor, from every member', async () => {
    const kinds = await messageKinds();
    expect(kinds.length).toBeGreaterThan(40);
    const evil = 'x\u001b[31my\u202e\r';
    const item = { ...Object.fromEntries(MEMBERS.map((member) => [member, evil])), [evil]: evil };
    for (const body of [
      { ...SAMPLE, ...item, passed: false },
      { ...SAMPLE, ...Object.fromEntries(MEMBERS.map((member) => [member, [item]])) },
      { ...SAMPLE, ...Object.fromEntries(MEMBERS.map((member) => [member, [evil]])) },
      { ...SAMPLE, moderated: { ...item, target_agents: [evil] } },
      { ...SAMPLE, manifest: { ...item, artifacts: [{ ...item, assigned_to: [evil] }] }, commits: { agent_a: evil } },
    ]) {
      const shown = kinds.flatMap((kind) => printed(evil, kind, { ...body, in_turn: false })).join('\n');
      expect(['\u001b', '\u202e', '\r'].filter((letter) => shown.includes(letter))).toEqual([]);
    }
  });
});

const EVENTS = new URL('../../../../docs/events.md', import.meta.url);

/** Returns the kinds of events in docs/events.md. */
const kinds = async (): Promise<string[]> =>
  Array.from((await readFile(EVENTS, 'utf8')).matchAll(/^\| `([a-z._]+)` \| \d+ \|/gm), ([, kind = '']) => kind);

/** Returns the kinds of events that docs/events.md marks as messages of the transcript. */
const messageKinds = async (): Promise<string[]> =>
  Array.from(
    (await readFile(EVENTS, 'utf8')).matchAll(/^\| `([a-z._]+)` \| \d+ \| [^|]+ \| yes/gm),
    ([, kind = '']) => kind,
  );

const MEMBERS = [
  ...['reason', 'note', 'text', 'summary', 'claim', 'answer', 'topic', 'position', 'title', 'response', 'outcome'],
  ...['revision_id', 'parent_id', 'content_hash', 'filename', 'sha256', 'target', 'kind', 'verdict', 'decision'],
  ...['service', 'version', 'commit', 'environment', 'branch', 'fixture_version', 'previous_commit', 'scenario_id'],
  ...['request_id', 'defect_id', 'assigned_to', 'finding_id', 'decision_id', 'question_id', 'intervention_id'],
  ...[
    'interfaces',
    'capabilities',
    'assertions',
    'issues',
    'blockers',
    'mismatches',
    'caveats',
    'mappings',
    'evidence',
  ],
  ...[
    'name',
    'expected',
    'actual',
    'code',
    'pointer',
    'message',
    'record',
    'requirement_id',
    'candidate',
    'manifest_id',
    'hold_id',
    'recommendation_id',
    'recommendation',
    'related_decision_id',
    'related_revision_id',
    'targets',
    'permissions',
    'dimensions',
    'category',
    'severity',
    'resolution_criteria',
    'target_agents',
  ],
];

const SAMPLE = { in_turn: false, attempt: 1, commits: {}, manifest: {}, mappings: [{ requirement_id: 'req-1' }] };
