import { beforeAll, describe, expect, test } from 'vitest';
import { PLACES } from './expected/places.ts';
import { type Documents, diffsIn, documentsIn, type Shape, shapeOf } from './support/documents.ts';
import { type Shown, shownIn } from './support/places.ts';
import { type Reading, readContract, readHistory, readStanding } from './support/reads.ts';
import { playStory, type Script } from './support/story.ts';
import { ALL_TEXTS } from './texts/hostile-texts.ts';

/**
 * The name of a field chooses its text. Each session moves the choice of all fields by a multiple of this number. With
 * 67, every text occurs in some session. With 1, every text occurs in every field.
 */
const STRIDE = process.env.HOSTILE_TEXTS === 'full' ? 1 : 67;
const OFFSETS = ALL_TEXTS.flatMap((_, index) => (index % STRIDE === 0 ? [index] : []));

/** Steps after which the contract is read. */
const WITH_CONTRACT = ['schema broken', 'rules broken', 'objections', 'changes requested', 'blocked', 'ended'];

/** Everything that was read of a session played to its end. */
interface Played {
  readonly shown: ReadonlyMap<string, Shown>;
  readonly documents: Documents;
  readonly diffs: readonly string[];
}

async function play(script: Omit<Script, 'look'>): Promise<Played> {
  const readings: Reading[] = [];
  const documents = new Map<string, string>();
  const { pen } = await playStory({
    ...script,
    async look(session, moment) {
      const now = [
        ...(await readStanding(session)),
        ...(WITH_CONTRACT.includes(moment) ? await readContract(session) : []),
        ...(moment === 'ended' ? await readHistory(session) : []),
      ];
      for (const [name, markdown] of documentsIn(now)) documents.set(`${moment}: ${name}`, markdown);
      readings.push(...now);
    },
  });
  return { shown: shownIn(pen, readings), documents, diffs: diffsIn(readings) };
}

/** Several roles read the same document at several steps, so its shape is computed once. */
const shapes = new Map<string, Shape>();

function shape(markdown = ''): Shape {
  const known = shapes.get(markdown) ?? shapeOf(markdown);
  shapes.set(markdown, known);
  return known;
}

let plain: Played;
beforeAll(async () => {
  plain = await play({ textAt: () => 'x', names: 'plain' });
});

/**
 * Sessions with one hostile text in every field, and sessions with six texts, so that nearly every field has a text
 * that could take effect there.
 */
const SESSIONS = [
  ...OFFSETS.map((offset) => ({ offset, texts: 1 })),
  ...OFFSETS.filter((_, index) => index % 10 === 0).map((offset) => ({ offset, texts: 6 })),
];

const used = new Set<string | undefined>();

function textAt(at: number, texts: number): string {
  const drawn = Array.from({ length: texts }, (_, index) => ALL_TEXTS[(at + 17 * index) % ALL_TEXTS.length]);
  for (const text of drawn) used.add(text);
  return drawn.join('\n');
}

const placesIn = ({ shown }: Played) =>
  Object.fromEntries(Array.from(shown, ([field, { places }]) => [field, [...places].toSorted()]));

test('a session of plain texts shows each where its field is shown', () => {
  expect(placesIn(plain)).toEqual(EXPECTED);
});

describe.each(SESSIONS)('a session of $texts hostile texts a field, from the one numbered $offset', (script) => {
  let played: Played;
  beforeAll(async () => {
    const { offset, texts } = script;
    played = await play({ textAt: (index) => textAt(index + offset, texts), names: offset });
  });

  test('shows each text where its field is shown, beside its author, and nowhere else', () => {
    expect(withoutCut(placesIn(played))).toEqual(withoutCut(EXPECTED));
  });

  test.each([
    ['redeem_invitation client_type', ['owner']],
    ['stopModerator reason', ['owner']],
    ['recommend_to_owner text', ['moderator', 'owner']],
    ['respondRecommendation note', ['moderator', 'owner']],
  ])('shows %s to nobody but %j', (field, readers) => {
    expect([...(played.shown.get(field)?.readers ?? [])].toSorted()).toEqual(readers);
  });

  test('has no document with a heading, link, image, fence, list, cell or HTML that plain texts do not give', () => {
    expect([...played.documents.keys()]).toEqual([...plain.documents.keys()]);
    for (const [name, markdown] of played.documents)
      expect([name, shape(markdown).structure]).toEqual([name, shape(plain.documents.get(name)).structure]);
  });

  test('draws nothing but tasks and what they wait for', () => {
    const lines = [...played.documents.values()].flatMap((markdown) => shape(markdown).drawings);
    expect(lines).toContain('  t2 --> t1');
    expect(lines.filter((line) => !DRAWN.some((form) => form.test(line)))).toEqual([]);
  });

  test('has no line in a diff that is not marked as one of the diff', () => {
    const foreign = played.diffs.filter((line) => !/^(?:[ +~\\-]|@@ |$)/.test(line));
    expect(foreign).toEqual([]);
  });
});

test('every hostile text occurs in some session', () => {
  expect(ALL_TEXTS.filter((text) => !used.has(text))).toEqual([]);
});

const EXPECTED = Object.fromEntries(Object.entries(PLACES).map(([field, places]) => [field, places.toSorted()]));

/**
 * Leaves out the places that cut a long text: `report.md` shows the first 300 characters of a field, the list of sessions the
 * first 200 of what waits, and `changes` cuts long interfaces. In a long text, the mark by which the test finds the field may be in the part that is cut.
 */
const withoutCut = (places: Readonly<Record<string, readonly string[] | undefined>>) =>
  Object.fromEntries(
    Object.entries(places).map(([field, at]) => [
      field,
      at?.filter((place) => !CUT_PLACES.includes(place) && !(place === 'changes' && field === CUT_FIELD)),
    ]),
  );

const CUT_PLACES = ['report.md', 'sessions[].waits[].said'];
const CUT_FIELD = 'contract interfaces[].operations[].response';

const DRAWN = [
  /^graph LR$/,
  /^ {2}t\d+\["(?:[\p{L}\p{M}\p{N} .,/_-]|#\d+;|<br\/>)*"\]:::agent_[ab]$/u,
  /^ {2}t\d+ --> t\d+$/,
  /^ {2}classDef agent_[ab] fill:#\w+,stroke:#\w+,color:#\w+$/,
];
