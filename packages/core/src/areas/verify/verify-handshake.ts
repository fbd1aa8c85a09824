import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { entries } from '../../kernel/log/persistent-collections.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { isBuilder } from '../../kernel/roles.ts';
import { quotedName } from '../../kernel/text/safe-echo.ts';
import type { SessionDraft } from '../catalog.ts';
import { text } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { NextItemView } from '../task.ts';
import { callsDue } from '../tasks/due.ts';
import { isSameCommit, longerCommit } from './commits.ts';
import { isProduction } from './environment.ts';
import { ChangedPaths, CommitHex } from './events.ts';
import { type Handshake, HandshakeView } from './record.ts';
import { listNext, viewHandshake } from './schemas.ts';
import type { VerifyState } from './state.ts';

const Name = text(200);

/** Matches a text that contains no URL with a user name or a password before the host. */
const NO_USERINFO = /^(?![\s\S]*[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]*@)/i;

const HandshakeInput = z.strictObject({
  service: Name,
  version: Name,
  commit: CommitHex,
  environment: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9 ._/-]{0,59}$/,
      'Must be 1 to 60 ASCII letters, digits, spaces, ".", "_", "/" or "-", and begin with a letter or digit.',
    )
    .describe('Never production.'),
  ready: z.boolean(),
  dependencies_healthy: z.boolean(),
  branch: Name.optional(),
  address: text(300)
    .refine((address) => NO_USERINFO.test(address), 'Must not contain a user name or a password in a URL.')
    .optional()
    .describe('How to reach it.'),
  capabilities: z.array(Name).max(200).optional(),
  fixture_version: Name.optional().describe('Your test data.'),
  interfaces: z
    .array(z.union([Name, z.strictObject({ name: Name, version: Name.optional() })]))
    .max(200)
    .optional(),
  clock: z
    .strictObject({
      now: z.iso
        .datetime({ offset: true, error: 'Must be an ISO 8601 time such as 2026-11-21T09:00:00Z.' })
        .describe('ISO 8601.'),
    })
    .optional(),
  changes: ChangedPaths.optional().describe('Paths that differ, by compared commit.'),
});

/** Maximum size of the next calls in the answer, in bytes as `costOf` counts them. */
const NEXT_COST = 200_000;

/**
 * Spec 3 and 4.2. Declares the running service. If the commit differs from the previously declared commit, earlier
 * passes become stale, open attempts are aborted, and the authorizations of the deployment and the activation are
 * cancelled.
 */
export const verifyHandshake = defineOperation({
  name: 'verify_handshake',
  summary: 'Declare what runs on your side.',
  rest: 'POST verify/handshake',
  access: { builder: 'verify_execute' },
  phases: ['VERIFY', 'RELEASE'],
  input: HandshakeInput,
  output: z.strictObject({
    handshake: HandshakeView,
    commit_changed: z.boolean(),
    next_actions: z.array(NextItemView),
    ...LEFT_OUT,
  }),
  errors: ['PRODUCTION_REFUSED'],

  decide({ verify, profile }, input, { role }, { clockMs }): SessionDraft[] {
    if (!isBuilder(role)) return [];
    if (isProduction(input.environment))
      fail(
        'PRODUCTION_REFUSED',
        `The environment ${quotedName(input.environment)} is a production environment, in which nothing is verified.`,
      );
    const before = verify.handshakes[role];
    const isSame = before !== undefined && isSameCommit(before.commit, input.commit);
    const commit = isSame ? longerCommit(before.commit, input.commit) : input.commit.toLowerCase();
    const declared = { ...input, commit };
    if (before && isSame && isRepeated(before, declared)) return [];
    const commit_changed = before !== undefined && !isSame;
    const skew_ms = input.clock && Date.parse(input.clock.now) - clockMs;
    const previous_commit = commit_changed ? before.commit : undefined;
    const stale_scenarios = commit_changed ? passedIds(verify) : [];
    const stale = stale_scenarios.length > 0 ? { stale_scenarios } : {};
    const data = { ...declared, skew_ms, commit_changed, previous_commit, ...stale };
    const handshake: SessionDraft = { kind: 'handshake.declared', data };
    if (!commit_changed || profile.phase !== 'RELEASE') return [handshake];
    return [handshake, { kind: 'phase.changed', data: { from: 'RELEASE', to: 'VERIFY' }, actor: 'system' }];
  },

  reply(state, _input, { caller: { role }, events: [event] }) {
    const own = isBuilder(role) ? state.verify.handshakes[role] : undefined;
    if (!own || !isBuilder(role)) throw new Error('The handshake was stored, but the state does not contain it.');
    const commit_changed = Object(event?.data).commit_changed === true;
    const { items, leftOut } = listNext(callsDue(state, role), NEXT_COST);
    return { handshake: viewHandshake(own), commit_changed, next_actions: items, ...leftOut };
  },
});

const passedIds = ({ scenarios }: VerifyState): string[] =>
  entries(scenarios).flatMap(([id, { outcome }]) => (outcome === 'PASSED' ? [id] : []));

/**
 * Whether the handshake differs from the previous handshake only in the reported time, or leaves out the changes that
 * the previous handshake declared. Such a handshake is not stored.
 */
function isRepeated(before: Handshake, { clock, ...declared }: z.output<typeof HandshakeInput>): boolean {
  return Object.entries(HandshakeInput.shape).every(([name]) => {
    if (name === 'clock') return before.clock !== undefined || clock === undefined;
    if (name === 'changes' && declared.changes === undefined) return true;
    return JSON.stringify(Reflect.get(before, name)) === JSON.stringify(Reflect.get(declared, name));
  });
}
