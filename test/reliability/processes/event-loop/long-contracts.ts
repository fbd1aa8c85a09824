import type { Json } from '@parley/missions';
import { contractOf } from '../support/contracts.ts';

/** Length of a contract's JSON. The other members of the request take the rest of the limit of 200,000 characters. */
const CHARS = 199_000;

type Make = (round: number) => Json;

const base = (more: Json): Json => contractOf('Levels', more);

/** A contract in which the list `member` has as many items as fit into `CHARS`. */
function filled(member: string, itemOf: (index: number) => unknown): Json {
  const items: unknown[] = [...listIn(base({})[member])];
  let chars = JSON.stringify(base({})).length;
  for (let index = 0; ; index += 1) {
    const item = itemOf(index);
    chars += JSON.stringify(item).length + 1;
    if (chars > CHARS) return base({ [member]: items });
    items.push(item);
  }
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function filledText(member: string, textOf: (index: number) => string): Json {
  let text = '';
  const room = CHARS - JSON.stringify(base({})).length;
  let chars = 0;
  for (let index = 0; ; index += 1) {
    const next = textOf(index);
    chars += JSON.stringify(next).length - 2;
    if (chars > room) return base({ [member]: `${text}.` });
    text += next;
  }
}

const WORDS = 'the shop shows what the warehouse holds within a second and says so when it does not know'.split(' ');
const sentence = (seed: number, words: number): string =>
  `${Array.from({ length: words }, (_, index) => WORDS[(seed * 7 + index * 5) % WORDS.length]).join(' ')}.`;

const typicalTask = (index: number, round: number): Json => ({
  ...{ id: `task-${index}`, title: sentence(index, 6), assignee: index % 2 === 0 ? 'agent_a' : 'agent_b' },
  ...{ requirements: ['req-1'], interfaces: ['levels'], depends_on: index === 0 ? [] : [`task-${index - 1}`] },
  deliverables: [sentence(index + round, 12), sentence(index + 3, 9)],
  done_when: [sentence(index + 1, 14), sentence(index + 5 * round, 14)],
});

const tinyTask = (index: number, more: Json = {}): Json => ({
  ...{ id: `t${index}`, title: 't', assignee: 'agent_a', requirements: [], interfaces: [], depends_on: [] },
  ...{ deliverables: [], done_when: [], ...more },
});

const nest = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => ({ type: 'object', properties: { a: inner } }), true);

const model = (index: number, json_schema: unknown): Json => ({ id: `model-${index}`, name: 'Model', json_schema });

const KINDS: Readonly<Record<string, Make>> = {
  'a typical one': (round) => filled('tasks', (index) => typicalTask(index, round)),
  'tiny tasks': (round) => filled('tasks', (index) => tinyTask(index + round)),
  'tiny tasks in a chain': (round) =>
    filled('tasks', (index) => tinyTask(index, { depends_on: index < round ? [] : [`t${index - round}`] })),
  'tiny tasks in a ring': () =>
    filled('tasks', (index) => tinyTask(index, { depends_on: [`t${(index + 1) % 1_400}`, `t${(index * 7) % 1_400}`] })),
  'tiny tasks with references to nothing': (round) =>
    filled('tasks', (index) => tinyTask(index, { interfaces: Array.from({ length: 40 }, (_, n) => `x${n}-${round}`) })),
  'tasks of one id': () => filled('tasks', () => tinyTask(1)),
  'tiny risks': (round) =>
    filled('risks', (index) => ({ id: `k${index}`, text: `${round}`, mitigation: 'm', assignee: 'agent_b' })),
  'tiny deliverables': (round) =>
    base({
      tasks: [
        ...listIn(base({}).tasks),
        tinyTask(0, { deliverables: Array.from({ length: 18_000 }, (_, index) => `d${index % 90}${round}`) }),
      ],
    }),
  'empty objects for tasks': () => filled('tasks', () => ({})),
  'as many empty objects as are looked at': () => base({ tasks: Array.from({ length: 19_800 }, () => ({})) }),
  'as many empty tests as are looked at': () => base({ tests: Array.from({ length: 19_800 }, () => ({})) }),
  'numbers for tasks': () => filled('tasks', (index) => index),
  'unknown members': () =>
    base(Object.fromEntries(Array.from({ length: 10_500 }, (_, index) => [`member${index}`, index]))),
  'unknown decisions': () => filled('decisions', (index) => `d_${index + 1}`),
  'one text': (round) => filledText('summary', (index) => sentence(index + round, 8)),
  'one word': (round) => filledText('summary', () => 'abcdefghij'[round % 10] ?? 'a'),
  'one text of short lines, all changed': (round) => filledText('summary', (index) => `${index} ${round}\n`),
  'one text of line ends': () => filledText('summary', () => '\n'),
  'one text of spaces': () => filledText('summary', () => ' '),
  'one text of Markdown': (round) =>
    filledText('summary', (index) => ['`', '*', '[a](b)', '|', '<i>', '# '][(index + round) % 6] ?? ''),
  'one text of backticks': () => filledText('summary', () => '`'),
  'one text like credentials': (round) =>
    filledText('summary', (index) => `key_${round}=sk-${index}; password: p${index} `),
  'one text of letters that look alike': () => filledText('summary', () => '\u200ba\u0301\ud83d\ude00'),
  'deep schemas': (round) => filled('data_models', (index) => model(index + round, nest(25))),
  'one wide schema': (round) =>
    base({
      data_models: [
        model(0, {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 6_000 }, (_, n) => [`p${n}-${round}`, { type: 'string' }]),
          ),
        }),
      ],
    }),
  'one list in a schema': (round) =>
    base({ data_models: [model(0, { enum: Array.from({ length: 17_000 }, (_, n) => `${n * round}`) })] }),
  'too many values': () => base({ data_models: [model(0, { enum: Array.from({ length: 80_000 }, () => 1) })] }),
  'fifty artifacts': (round) =>
    base({
      artifacts: Array.from({ length: 50 }, (_, index) => ({
        filename: `file-${index}.txt`,
        media_type: 'text/plain',
        audience: 'both',
        content: sentence(index + round, 500),
      })),
    }),
};

/** Contracts of about 200,000 characters. The bytes differ in each round, so that no cache has a result for them. */
export const LONG: readonly (readonly [name: string, make: Make])[] = Object.entries(KINDS).map(([name, make]) => [
  name,
  (round) => ({ ...make(round), rollout: { steps: ['Deploy.'], rollback: `Deploy version ${round}.` } }),
]);
