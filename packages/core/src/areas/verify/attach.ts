/** The operations that only the command `parley` calls: they have a route and no tool. */

import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { memoizeBy } from '../../kernel/maps.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { isBuilder } from '../../kernel/roles.ts';
import { echoName, quotedName } from '../../kernel/text/safe-echo.ts';
import { contentOf, MAX_ATTACHMENT_BYTES, requireRoom, viewAttachment } from '../attachments/rules.ts';
import { AttachmentView } from '../attachments/state.ts';
import type { SessionDraft } from '../catalog.ts';
import { findCredentials, refuseCredentials } from '../credentials/rules.ts';
import { text } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import type { SessionState } from '../state.ts';
import { GateStanding, gateStandings } from './certification.ts';
import { RunInput, storedRun } from './events.ts';
import { attemptOf, scenarioOf } from './scenarios.ts';
import { isDeclaredBy } from './state.ts';

const Place = { scenario_id: text(60).optional(), attempt: z.int().min(1).optional(), gate_id: text(60).optional() };

const AttachInput = z
  .strictObject({
    ...Place,
    filename: z
      .string()
      .regex(
        /^(?![.\-\p{Z}])[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800/\\:]{1,120}(?<!\p{Z})$/u,
        'Must be a filename without a path, of at most 120 visible characters.',
      ),
    content: z.string().describe(`At most ${MAX_ATTACHMENT_BYTES} bytes, in base64.`),
  })
  .refine(
    ({ scenario_id, attempt, gate_id }) =>
      gate_id === undefined ? scenario_id !== undefined && attempt !== undefined : !scenario_id && !attempt,
    'Must name scenario_id and attempt, or gate_id.',
  );
type AttachInput = z.output<typeof AttachInput>;

/** The content that an input carries. Refuses what is not the base64 of 1 byte to 1 MB. */
const contentIn = memoizeBy(({ content }: AttachInput) => {
  const bytes = Buffer.from(content, 'base64');
  const refuse = (message: string): never => refuseInput([{ path: 'content', message }]);
  if (bytes.toString('base64') !== content) refuse('Must be base64 (RFC 4648, with padding, without line breaks).');
  if (bytes.length === 0 || bytes.length > MAX_ATTACHMENT_BYTES)
    refuse(`Must have 1 to ${MAX_ATTACHMENT_BYTES} bytes; it has ${bytes.length}.`);
  return contentOf(bytes, content);
});

/** Length of the pieces in which a text is searched, in characters, and the characters that two pieces share. */
const PIECE = { chars: 100_000, overlap: 5_000 };

/** What is searched for credentials. Of what is no text in UTF-8, the ASCII in it, which may be in UTF-16. */
const searchedIn = memoizeBy((input: AttachInput): string => {
  const { media_type, body } = contentIn(input);
  return media_type === 'text/plain' ? body : Buffer.from(body, 'base64').toString('latin1').replaceAll('\0', '');
});

const credentialsIn = memoizeBy(
  (input: AttachInput, from: number) =>
    findCredentials({ content: searchedIn(input).slice(from, from + PIECE.chars + PIECE.overlap) }, 'likely'),
  String,
);

/** Where the pieces begin that are searched one after the other. */
const piecesOf = (input: AttachInput): number[] =>
  Array.from({ length: Math.ceil(searchedIn(input).length / PIECE.chars) }, (_, index) => index * PIECE.chars);

/** Keeps a file beside an open attempt, or beside a gate that demands a run. The same file at the same place is kept once. */
export const verifyAttach = defineOperation({
  name: 'verify_attach',
  summary: 'Attach a file to an open attempt or a gate, over REST alone.',
  rest: 'POST verify/attachments',
  restOnly: true,
  maxBodyChars: 1_400_000,
  access: { builder: 'verify_execute' },
  phases: ['VERIFY', 'RELEASE'],
  input: AttachInput,
  output: AttachmentView,
  errors: ['UNKNOWN_RECORD', 'ATTEMPT_CLOSED', 'LIMIT_EXCEEDED'],

  *precompute(_state, input) {
    for (const from of piecesOf(input)) yield credentialsIn(input, from);
  },

  decide(state, input, { role }): SessionDraft[] {
    if (!isBuilder(role)) return [];
    const { content: _, filename, ...place } = input;
    const content = contentIn(input);
    requirePlace(state, place);
    if (piecesOf(input).some((from) => credentialsIn(input, from).length > 0))
      refuseCredentials({ content: searchedIn(input) }, 'likely');
    if (attachedBy(state, role, input)) return [];
    requireRoom(state, role, content);
    const { body, ...file } = content;
    return [{ kind: 'attachment.added', data: { ...place, filename, ...file }, documents: [body] }];
  },

  reply(state, input, { caller: { role } }) {
    const stored = attachedBy(state, role, input);
    if (!stored) throw new Error('The attachment was stored, but the state does not contain it.');
    return viewAttachment(stored);
  },
});

type Attached = Pick<AttachInput, 'scenario_id' | 'attempt' | 'gate_id'>;

function requirePlace(state: SessionState, { scenario_id = '', attempt = 0, gate_id }: Attached): void {
  if (gate_id === undefined) attemptOf(scenarioOf(state, scenario_id), attempt);
  else gateWith(state, gate_id);
}

const attachedBy = ({ attachments }: SessionState, role: string, input: AttachInput) =>
  attachments.find(
    (one) =>
      one.by === role &&
      one.sha256 === contentIn(input).sha256 &&
      one.scenario_id === input.scenario_id &&
      one.attempt === input.attempt &&
      one.gate_id === input.gate_id,
  );

function gateWith(state: SessionState, id: string): GateStanding {
  const gate = gateStandings(state).find(({ gate_id }) => gate_id === id);
  if (gate) return gate;
  const ids = gateStandings(state).map(({ gate_id }) => gate_id);
  return fail('UNKNOWN_RECORD', `The approved contract has no gate ${quotedName(id)} that demands a run.`, {
    record: { type: 'gate', id: echoName(id) },
    hint:
      ids.length > 0 ? `These demand one: ${ids.join(', ')}.` : 'Report on the gates in words, with complete_action.',
  });
}

/** Keeps the run of a command for a gate of the contract. The last run of a gate counts. */
export const verifyGate = defineOperation({
  name: 'verify_gate',
  summary: 'Give the run that meets a gate, over REST alone; left to parley verify run --gate.',
  rest: 'POST verify/gates',
  restOnly: true,
  access: { builder: 'verify_execute' },
  phases: ['VERIFY', 'RELEASE'],
  input: z.strictObject({ gate_id: text(60), run: z.record(z.string(), z.unknown()).pipe(RunInput) }),
  output: GateStanding,
  errors: ['UNKNOWN_RECORD', 'NOT_ASSIGNED'],

  decide(state, { gate_id, run }, { role }) {
    const { stage, run: asked } = gateWith(state, gate_id);
    if (asked.by !== role)
      fail('NOT_ASSIGNED', `Only ${asked.by} runs gate ${gate_id}, because the contract names it.`, { by: asked.by });
    refuseCredentials({ run }, 'likely');
    const isDeclared = isDeclaredBy(state.verify, asked.by, run.commit);
    const names = asked.tests ?? [];
    const stored = storedRun(run, isDeclared ? asked.by : undefined, { names, command: asked.command });
    return [{ kind: 'gate.run', data: { gate_id, stage, run: stored } }];
  },

  reply: (state, { gate_id }) => gateWith(state, gate_id),
});
