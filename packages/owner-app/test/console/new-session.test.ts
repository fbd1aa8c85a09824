import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  EMPTY_FORM,
  fieldNames,
  inputOf,
  issuesIn,
  line,
  moved,
  placeIssues,
  proposeId,
  readSession,
  readSessionFile,
  type SessionForm,
  scenario,
  tidied,
  topic,
} from '../../console/src/pages/new-session-form.ts';
import { placeholdersIn, sessionTemplate, TEMPLATES } from '../../src/text/templates/session-templates.ts';

const FORM: SessionForm = {
  ...EMPTY_FORM,
  title: 'Refunds',
  objective: 'Money back.',
  guardrails: [{ key: 1, text: 'Nothing breaks.' }],
  requirements: [{ key: 1, requirement_id: 'req-1', text: 'Once.', acceptance_criteria: '' }],
};

describe('the form', () => {
  test('becomes the input of createSession, without what is empty', () => {
    expect(inputOf(FORM)).toEqual({
      title: 'Refunds',
      objective: 'Money back.',
      guardrails: ['Nothing breaks.'],
      requirements: [{ requirement_id: 'req-1', text: 'Once.' }],
      agents: { agent_a: {}, agent_b: {} },
      first_turn: 'agent_a',
      secret_policy: 'refuse',
      fixture_version: '1',
      round_limit: 10,
    });
    const shop = { name: 'Shop agent', repository: ' ', service: 'shop' };
    const changed = { ...FORM, agents: { ...FORM.agents, agent_a: shop }, fixture_version: '', round_limit: '' };
    expect(inputOf(changed)).toEqual({
      title: 'Refunds',
      objective: 'Money back.',
      guardrails: ['Nothing breaks.'],
      requirements: [{ requirement_id: 'req-1', text: 'Once.' }],
      agents: { agent_a: { name: 'Shop agent', service: 'shop' }, agent_b: {} },
      first_turn: 'agent_a',
      secret_policy: 'refuse',
    });
  });

  test('sends an invalid number of rounds unchanged, so that the service refuses it', () => {
    expect(inputOf({ ...FORM, round_limit: 'ten' }).round_limit).toBe('ten');
    expect(inputOf({ ...FORM, round_limit: '2.5' }).round_limit).toBe(2.5);
  });

  test('proposes the next free id', () => {
    expect(proposeId('req', ['req-1', 'req-3'])).toBe('req-4');
    expect(proposeId('req', ['safety'])).toBe('req-2');
  });

  test('moves a line by one position, and not beyond an end of the list', () => {
    expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
    expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
    expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
    expect(moved(['a', 'b'], 1, 1)).toEqual(['a', 'b']);
  });

  test('drops guardrails that were left empty', () => {
    const blank = [2, 3].map((key) => ({ ...line.empty, key }));
    expect(tidied({ ...FORM, guardrails: [...FORM.guardrails, ...blank] }).guardrails).toEqual([
      { key: 1, text: 'Nothing breaks.' },
    ]);
  });
});

describe('a refusal', () => {
  test('is shown at the fields that it names, and the first field with a fault is found', () => {
    const placed = placeIssues(
      [
        { path: 'agents.agent_b.name', message: 'Must not be empty.' },
        { path: 'requirements[0].text', message: 'Must not be empty.' },
        { path: 'requirements[0].text', message: 'Too bad.' },
        { path: 'requirements', message: 'Names a requirement_id twice.' },
      ],
      fieldNames(FORM),
    );
    expect([...placed.at]).toEqual([
      ['agents.agent_b.name', 'Must not be empty.'],
      ['requirements[0].text', 'Must not be empty. Too bad.'],
      ['requirements', 'Names a requirement_id twice.'],
    ]);
    expect(placed.first).toBe('requirements');
    expect(placed.elsewhere).toEqual([]);
  });

  test('of a value inside a field is shown at the field; a refusal of no field is shown elsewhere', () => {
    const placed = placeIssues(
      [
        { path: 'requirements[7].text', message: 'Odd.' },
        { path: 'title_page', message: 'Unknown member.' },
        { path: 'input', message: 'No object.' },
      ],
      fieldNames(FORM),
    );
    expect([...placed.at]).toEqual([['requirements', 'Odd.']]);
    expect(placed.elsewhere.map(({ path }) => path)).toEqual(['title_page', 'input']);
  });

  test('without issues places nothing', () => {
    expect(issuesIn({ error: 'UNREACHABLE' })).toEqual([]);
    expect(issuesIn({ issues: [{ path: 'title', message: 'No.' }, null] })).toEqual([
      { path: 'title', message: 'No.' },
      { path: '', message: '' },
    ]);
    expect(placeIssues([], fieldNames(FORM)).first).toBe(null);
  });
});

const read = (value: unknown) => readSessionFile(JSON.stringify(value));

describe('a template', () => {
  test.each(TEMPLATES.map(({ name }) => name))('%s fills the form, which becomes its session', async (name) => {
    const template = await sessionTemplate(name);
    const reading = readSession(template);
    if ('faults' in reading) throw new Error(reading.faults.join('\n'));
    expect(reading.unused).toEqual([]);
    expect(inputOf(reading.form)).toEqual({
      ...template?.session,
      secret_policy: 'refuse',
      ...(name === 'db-migration' && { profile: undefined }),
    });
    const left = placeholdersIn(inputOf(reading.form)).map(({ path, words }) => ({ path, message: words }));
    const { first, elsewhere } = placeIssues(left, fieldNames(reading.form));
    expect([first, elsewhere]).toEqual(['title', []]);
  });
});

test('an agenda is sent without what was left empty, with evidence as chosen', () => {
  const added = { ...scenario.empty, key: 1, id: 'test-1' };
  const blank = { ...topic.empty, key: 1 };
  const empty = { ...EMPTY_FORM, agenda: { topics: [blank], scenarios: [added] } };
  expect('agenda' in inputOf(tidied(empty))).toBe(false);
  const filled = { ...added, title: 'Twice', requirements: 'req-1 , req-2', evidence_policy: { correlated: false } };
  const asked = { key: 2, topic: 'Retries', question: 'How often?' };
  expect(inputOf(tidied({ ...EMPTY_FORM, agenda: { topics: [blank, asked], scenarios: [filled] } })).agenda).toEqual({
    topics: [{ topic: 'Retries', question: 'How often?' }],
    scenarios: [
      {
        id: 'test-1',
        title: 'Twice',
        given: '',
        when: '',
        // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a scenario.
        then: '',
        requirements: ['req-1', 'req-2'],
        evidence_policy: { correlated: false },
      },
    ],
  });
});

describe('a file', () => {
  test.each(['payment-capture', 'offline-sync', 'signed-webhooks'])(
    'of the mission %s fills the form',
    async (name) => {
      const text = await readFile(new URL(`../../../missions/${name}.json`, import.meta.url), 'utf8');
      const reading = readSessionFile(text);
      if ('faults' in reading) throw new Error(reading.faults.join('\n'));
      expect(reading.unused).toEqual([]);
      expect(inputOf(reading.form)).toEqual({ ...JSON.parse(text).session, secret_policy: 'refuse' });
    },
  );

  test('with only a session fills the form too, with defaults for missing members', () => {
    const reading = read({ title: 'Refunds', requirements: [{ text: 'Once.' }, { text: 'Twice.' }], note: 'x' });
    expect(reading).toEqual({
      form: {
        ...EMPTY_FORM,
        title: 'Refunds',
        requirements: [
          { key: 1, requirement_id: 'req-1', text: 'Once.', acceptance_criteria: '' },
          { key: 2, requirement_id: 'req-2', text: 'Twice.', acceptance_criteria: '' },
        ],
      },
      unused: ['note'],
    });
  });

  test('keeps its source, and criteria of several lines', () => {
    const source = { kind: 'openspec', location: 'changes/retry', sha256: 'a'.repeat(64) };
    const acceptance_criteria = [
      'Paper is missing\n- WHEN it is missing\n  - AND\n\n- THEN the job waits',
      'It is logged',
    ];
    const requirements = [{ requirement_id: 'req-1', text: 'Retry.', acceptance_criteria }];
    const reading = read({ title: 'Retry', requirements, source });
    if ('faults' in reading) throw new Error(reading.faults.join('\n'));
    expect(reading.unused).toEqual([]);
    expect(inputOf(reading.form)).toMatchObject({ requirements, source });
  });

  test('that begins with a byte order mark is read', () => {
    expect(readSessionFile('\uFEFF{"title":"Refunds"}')).toEqual({
      form: { ...EMPTY_FORM, title: 'Refunds' },
      unused: [],
    });
  });

  test('with faults lists all faults and where they are', () => {
    const session = {
      title: 3,
      guardrails: 'none',
      requirements: [{ text: ['x'] }, 'y'],
      round_limit: 'six',
      first_turn: 'b',
      agents: { agent_a: [] },
      secret_policy: null,
    };
    expect(read({ session })).toEqual({
      faults: [
        'session.title: a text is expected, not a number.',
        'session.requirements[0].text: a text is expected, not a list.',
        'session.requirements[1]: an object is expected, not "y".',
        'session.guardrails: a list is expected, not "none".',
        'session.agents.agent_a: an object is expected, not a list.',
        'session.round_limit: a number is expected, not "six".',
        'session.first_turn: agent_a or agent_b is expected, not "b".',
      ],
    });
  });

  test('that contains no session is refused with the reason', () => {
    expect(read([])).toEqual({
      faults: ['The file contains a list; expected the JSON object of a session or a mission.'],
    });
    expect(read({ session: null })).toEqual({ faults: ['session: an object is expected, not null.'] });
    expect(read({ name: 'parley', version: '1' })).toEqual({
      faults: ['The file describes no session: title, objective and requirements are missing.'],
    });
    expect(readSessionFile('title: Refunds')).toEqual({
      faults: ['The file is not valid JSON: the character at line 1, column 1 is not expected.'],
    });
    expect(readSessionFile('{"title":"Refunds","round_limit":9007199254740993}')).toEqual({
      faults: ['The file is refused: round_limit is a number that cannot be kept exactly; send it as a string.'],
    });
  });
});

test('criteria of a requirement are sent one for each line, and the environment where it is given', () => {
  const requirements = [
    {
      key: 1,
      requirement_id: 'req-1',
      text: 'It works.',
      acceptance_criteria: 'A page takes 1 s at most.\n\n No page repeats. ',
    },
  ];
  expect(inputOf({ ...EMPTY_FORM, requirements, environment: 'staging' })).toMatchObject({
    requirements: [
      {
        requirement_id: 'req-1',
        text: 'It works.',
        acceptance_criteria: ['A page takes 1 s at most.', 'No page repeats.'],
      },
    ],
    environment: 'staging',
  });
});
