import { z } from 'zod';
import { EXCERPT_MAX_CHARS, MAX_WAIT_SECONDS } from '../kernel/limits.ts';
import { hidesLetters } from '../kernel/name-key.ts';
import { documented, namedObject } from '../kernel/operation/json-schema.ts';
import { PERSON_ROLES } from '../kernel/person.ts';
import { ACTORS, AGENTS, BUILDERS } from '../kernel/roles.ts';
import { CHOSEN_ID } from '../kernel/text/readable.ts';
import { type Content, content, isContent } from './content.ts';

/** A text of 1 to `maxChars` characters, of which at least one is visible. */
export const text = (maxChars: number) =>
  z.string().max(maxChars, `Must have at most ${maxChars} characters.`).regex(/\S/, 'Must not be empty.');

/** A text of one line, in which a reader sees every character. */
export const visibleLine = (maxChars: number) =>
  text(maxChars).refine((line) => !hidesLetters(line), 'Must be one line without invisible characters.');

/** Matches a text that contains no URL with a user name or a password before the host. */
const NO_USERINFO = /^(?![\s\S]*[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]*@)/i;

/** The text, which may be a URL, but without a user name and a password. */
export const withoutUserinfo = (place: z.ZodString) =>
  place.refine((given) => NO_USERINFO.test(given), 'Must not contain a user name or a password in a URL.');

/** An id such as d_4, which consists of `prefix` and a number. */
function countedId(prefix: string, what: string) {
  const article = /^[aeiou]/.test(what) ? 'an' : 'a';
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[1-9]\\d{0,8}$`), `Must be ${article} ${what} id such as ${prefix}_1.`)
    .register(documented, { id: `${what.charAt(0).toUpperCase()}${what.slice(1)}Id` });
}

/** An id that its author chooses, such as that of a requirement or of a task in a contract. */
export const ChosenId = z
  .string()
  .regex(CHOSEN_ID, 'Must be 1 to 60 letters, digits, "_", "." or "-", and begin with a letter or a digit.');

export const QuestionId = countedId('q', 'question');
export const DecisionId = countedId('d', 'decision');
export const InterventionId = countedId('i', 'intervention');
export const RevisionId = countedId('r', 'revision');
export const FindingId = countedId('f', 'finding');
export const DefectId = countedId('def', 'defect');
export const HoldId = countedId('h', 'hold');
export const FollowupId = countedId('fu', 'followup');
export const RecommendationId = countedId('rec', 'recommendation');
export const ActionId = countedId('act', 'action');

export const BuilderRole = z.enum(BUILDERS).register(documented, { id: 'Builder' });
export const AgentRole = z.enum(AGENTS).register(documented, { id: 'Agent' });
export const Party = z.enum([...AGENTS, 'owner']).register(documented, { id: 'Party' });
export const ActorName = z.enum(ACTORS).register(documented, { id: 'Actor' });

export const PersonRoleName = z.enum(PERSON_ROLES).register(documented, { id: 'PersonRole' });

export const Reason = text(2_000).describe('Reason, exact enough to act on.').register(documented, { id: 'Reason' });
export const LONG_TEXT_MAX_CHARS = 4_000;
export const LongText = text(LONG_TEXT_MAX_CHARS);

export const RecordRef = namedObject('RecordRef', { type: z.string(), id: z.string() });

export const LogHead = namedObject('LogHead', { seq: z.int(), hash: z.string() });

export const NoInput = z.strictObject({});

/** A cursor: the id of a message; 0 is the position before the first message. */
export const MessageCursor = z.int().min(0).max(2_147_483_647).register(documented, { id: 'Cursor' });

export const AfterSeen = MessageCursor.optional().describe('Your last cursor; only newer items end the wait.');

export const At = z.string().describe('ISO 8601 UTC.').register(documented, { id: 'Time', format: 'date-time' });

const WAIT_WORDS = `Must be a whole number of seconds from 0 to ${MAX_WAIT_SECONDS}.`;

export const WaitSeconds = z
  .number(WAIT_WORDS)
  .min(0, WAIT_WORDS)
  .describe(`Seconds to wait for news, at most ${MAX_WAIT_SECONDS}.`)
  .register(documented, { id: 'WaitSeconds', maximum: MAX_WAIT_SECONDS });

/**
 * How evidence came about, from the weakest level to the strongest: an agent has written it; it is a run in the form that
 * `parley verify run` sends; a workflow that the owner has bound has sent it.
 */
export const EVIDENCE_LEVELS = ['claimed', 'recorded', 'ci'] as const;
export type EvidenceLevel = (typeof EVIDENCE_LEVELS)[number];

export const EvidenceLevelName = z
  .enum(EVIDENCE_LEVELS)
  .describe(
    'claimed: written by an agent. recorded: sent in the form of parley verify run; an agent can forge it. ci: sent by a bound workflow.',
  )
  .register(documented, { id: 'EvidenceLevel' });

/** The weakest of some levels. Null if there are none. */
export const lowestLevel = (levels: readonly EvidenceLevel[]): EvidenceLevel | null =>
  EVIDENCE_LEVELS.find((level) => levels.includes(level)) ?? null;

/** A reference by which a reader can check a claim. Spec 2 and 8: an excerpt has at most 600 characters. */
export const EvidenceItem = namedObject('EvidenceItem', {
  kind: z.enum(['file', 'command', 'log', 'test', 'url', 'document', 'other']),
  reference: text(500).describe('Command, test, address, or path with line.'),
  excerpt: z
    .string()
    .max(EXCERPT_MAX_CHARS, `Must have at most ${EXCERPT_MAX_CHARS} characters.`)
    .optional()
    .describe('The lines that matter.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'Must be 64 lower-case hex digits.')
    .optional(),
});

export const EvidenceItems = z.array(EvidenceItem).max(50).register(documented, { id: 'EvidenceItems' });

/** Evidence as events store it. The limits of an input may change; stored events stay readable. */
export const StoredEvidence = z.array(
  z.strictObject({
    kind: z.string(),
    reference: z.string(),
    excerpt: z.string().optional(),
    sha256: z.string().optional(),
  }),
);
export type StoredEvidence = z.output<typeof StoredEvidence>;

export const EvidenceRefs = z.array(z.record(z.string(), z.unknown())).describe('Kind and reference of each item.');

export const viewEvidenceRefs = (evidence: readonly Readonly<Record<string, unknown>>[]) =>
  evidence.map(({ kind, reference }) => ({ kind, reference }));

/**
 * Warnings about members of the input that look like credentials. Absent unless the session's policy allows such texts.
 */
export const Warnings = z.array(z.strictObject({ path: z.string(), rule: z.string() }));
documented.add(Warnings, { id: 'Warnings' });

type Form<S> =
  S extends z.ZodOptional<infer Inner>
    ? z.ZodOptional<Form<Inner> extends z.ZodType ? Form<Inner> : never>
    : S extends typeof EvidenceItems
      ? typeof StoredEvidence
      : S extends z.ZodArray<infer Item>
        ? z.ZodArray<Form<Item> extends z.ZodType ? Form<Item> : never>
        : S extends z.ZodObject<infer Shape>
          ? z.ZodObject<StoredShape<Shape>, z.core.$strict>
          : S extends z.ZodString
            ? z.ZodString
            : S;

/** The shape in which an event stores an input with this shape. */
type StoredShape<Shape> = {
  [N in keyof Shape]: Shape[N] extends Content ? Form<Shape[N]> & Content : Form<Shape[N]>;
};

/**
 * The members of an input as events store them: without the limits and the words of the input. The limits of an input may change;
 * stored events stay readable.
 */
export const storedShape = <Shape extends z.ZodRawShape>(shape: Shape): StoredShape<Shape> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const form = storedForm(schema);
      return [name, isContent(schema) ? content(form) : form];
    }),
  ) as StoredShape<Shape>;

function storedForm(schema: z.core.$ZodType): z.ZodType {
  if (schema === EvidenceItems) return StoredEvidence;
  if (schema instanceof z.ZodOptional) return storedForm(schema.unwrap()).optional();
  if (schema instanceof z.ZodArray) return z.array(storedForm(schema.element));
  if (schema instanceof z.ZodObject) return z.strictObject(storedShape(schema.shape));
  return schema instanceof z.ZodString ? z.string() : (schema as z.ZodType);
}
