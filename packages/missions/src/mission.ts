import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const Text = z.string().min(1);
const BuilderRole = z.enum(['agent_a', 'agent_b']);
const Service = z.strictObject({ name: Text, repository: Text, service: Text });

const Agenda = z.strictObject({
  topics: z.array(z.strictObject({ topic: Text, question: Text })),
  scenarios: z.array(
    z.strictObject({
      id: Text,
      title: Text,
      given: Text,
      when: Text,
      // biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
      then: Text,
      executor: BuilderRole,
      requirements: z.array(Text),
    }),
  ),
});

const Session = z.strictObject({
  profile: z.enum(['full', 'light']).optional(),
  title: Text,
  objective: Text,
  guardrails: z.array(Text),
  requirements: z.array(z.strictObject({ requirement_id: Text, text: Text })).min(1),
  agenda: Agenda.optional(),
  contract_author: BuilderRole.optional(),
  round_limit: z.int().min(1),
  first_turn: BuilderRole,
  fixture_version: Text,
  agents: z.strictObject({ agent_a: Service, agent_b: Service }),
});

const Step = z.strictObject({
  by: z.enum(['agent_a', 'agent_b', 'moderator', 'owner']),
  call: Text.describe('For an agent: a tool, or a routine of `runMission`. For the owner: an operation.'),
  input: z.record(z.string(), z.unknown()),
});

export const Outcome = z.strictObject({
  status: Text,
  phase: Text,
  contract_author: BuilderRole,
  turns: z.int(),
  decisions: z.record(z.string(), Text).describe('Status by decision id.'),
  revision: z.strictObject({ revision_id: Text, status: Text }).nullable().describe('The latest revision.'),
  findings: z.record(z.string(), Text).describe('Status by finding id.'),
  receipts_missing: z
    .array(Text)
    .describe('Artifacts that the agent which reads the outcome has not confirmed; handoff.md is its own handoff.'),
  ready: z.array(BuilderRole).describe('Who has reported READY_TO_CODE.'),
  authorizations: z.strictObject({
    build_authorized: z.boolean(),
    deployment_authorized: z.boolean(),
    activation_authorized: z.boolean(),
  }),
  scenarios: z.record(z.string(), Text).describe('Status on the test board by scenario id.'),
  defects: z.record(z.string(), Text).describe('Status by defect id.'),
  certified: z.boolean().describe('Whether every certification check holds.'),
});

/** The parts of a mission that contain steps, in the order in which they run. */
export const PARTS = ['discussion', 'contract', 'readiness', 'verification'] as const;

const Insertion = z.strictObject({
  part: z.enum(PARTS),
  before: z
    .int()
    .min(0)
    .describe(
      'Index, from 0, of the step of `part` before which `steps` are inserted. To insert at the end, give the number of steps of `part`.',
    ),
  instead_of: z
    .int()
    .min(0)
    .default(0)
    .describe('Number of steps, from the step at `before`, that the inserted steps replace.'),
  steps: z.array(Step).min(1),
});

/** The changes that add a moderator to a mission without a moderator. */
const Moderation = z.strictObject({
  insertions: z.array(Insertion).min(1),
  outcome: Outcome.partial().describe('The members of the outcome that differ from those without a moderator.'),
});

/**
 * A mission: the session that the owner creates, the steps of all roles, and the expected outcome.
 *
 * The steps contain literal ids. A session numbers each kind of record from 1 (`q_1`, `d_1`, `i_1`, `act_1`, `r_1`,
 * `f_1`, `def_1`), so the ids are known before the mission runs.
 */
export const Mission = z.strictObject({
  mission: Text,
  session: Session,
  discussion: z.array(Step).min(1).describe('Steps up to the election of the author.'),
  contract: z.array(Step).default([]).describe('Steps up to the approval of the contract.'),
  readiness: z.array(Step).default([]).describe('Steps up to the authorization of the build.'),
  verification: z.array(Step).default([]).describe('Steps up to the end of the session.'),
  outcome: Outcome,
  moderation: Moderation.optional(),
});

export type Part = (typeof PARTS)[number];
export type Mission = z.output<typeof Mission>;
export type Step = z.output<typeof Step>;
export type Outcome = z.output<typeof Outcome>;
export type Builder = z.output<typeof BuilderRole>;
/** The roles that join a session by redeeming an invitation code. */
export type Agent = Builder | 'moderator';

export const MISSION_NAMES = ['payment-capture', 'offline-sync', 'signed-webhooks', 'minor-units'] as const;
export type MissionName = (typeof MISSION_NAMES)[number];

/** Reads a mission of this package. */
export const loadMission = (name: MissionName): Promise<Mission> =>
  readMission(new URL(`../${name}.json`, import.meta.url));

/**
 * Reads a mission from any file, with the files that it includes.
 *
 * @throws ZodError that names each wrong field; Error for a file that cannot be read
 */
export async function readMission(file: string | URL): Promise<Mission> {
  return Mission.parse(await readJson(file instanceof URL ? file : pathToFileURL(file)));
}

const Inclusion = z.union([z.strictObject({ $json: z.string() }), z.strictObject({ $text: z.string() })]);

const readJson = async (file: URL): Promise<unknown> => included(JSON.parse(await readFile(file, 'utf8')), file);

/**
 * Replaces each `{"$json": path}` and `{"$text": path}` in a value by the content of the file at that path. Paths are
 * relative to `from`.
 */
async function included(value: unknown, from: URL): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  const inclusion = Inclusion.safeParse(value).data;
  if (inclusion && '$json' in inclusion) return readJson(new URL(inclusion.$json, from));
  if (inclusion) return readFile(new URL(inclusion.$text, from), 'utf8');
  if (Array.isArray(value)) return Promise.all(value.map((item) => included(item, from)));
  const members = Object.entries(value).map(async ([name, member]) => [name, await included(member, from)]);
  return Object.fromEntries(await Promise.all(members));
}
