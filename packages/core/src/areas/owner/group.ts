import { z } from 'zod';
import { namedObject } from '../../kernel/operation/documented.ts';
import { RevisionRef, viewRevisionRef } from '../blockers/rules.ts';
import type { SessionState } from '../state.ts';
import { certificationOf } from '../verify/certification.ts';
import { SessionGlance } from './overview.ts';

/** Member of a call that releases. Before the decision, `requireGroupReady` judges the other sessions of the group. */
export const GroupReady = z
  .boolean()
  .optional()
  .describe(
    'For the deployment and the release: refuse the call unless each other session of the group is certified now, or ended with an authorized deployment. A session can lose its certification a moment later.',
  );

export const GroupSession = namedObject('GroupSession', {
  session: SessionGlance,
  contract: RevisionRef.nullable().describe(
    'The latest revision; null before the first, or if the session cannot be read.',
  ),
  certified: z.boolean().describe('Whether the build is authorized and all certification checks are met.'),
  deployment_authorized: z.boolean(),
  stops: z
    .array(z.string())
    .describe(
      'What stops the release of this session; empty if it is certified, or ended with an authorized deployment.',
    ),
});

type Release = Pick<z.output<typeof GroupSession>, 'certified' | 'deployment_authorized' | 'stops'>;

/** How far a session is on its way to the release, and what stops it. */
export function releaseOf(state: SessionState): Release {
  const { profile, manifest } = state;
  const { deployment_authorized } = manifest;
  const open = openChecks(state);
  const certified = open.length === 0;
  if (profile.status !== 'ENDED') return { certified, deployment_authorized, stops: open };
  const stops = deployment_authorized ? [] : ['The session ended, and its deployment was not authorized.'];
  return { certified, deployment_authorized, stops };
}

function openChecks(state: SessionState): string[] {
  if (!state.manifest.current) return ['The contract is not approved.'];
  if (!state.manifest.build_authorized) return ['The build is not authorized.'];
  return certificationOf(state).flatMap(({ ok, detail }) => (ok ? [] : [detail]));
}

/** The members of a session in its group that its glance does not have. */
export const viewInGroup = (state: SessionState): Omit<z.output<typeof GroupSession>, 'session'> => ({
  contract: viewRevisionRef(state),
  ...releaseOf(state),
});
