import type { Owner } from '@parley/core';

/** The answer of one of the owner's operations, as it is after parsing the JSON. */
type Answer<Name extends keyof Owner> = Owner[Name] extends (...args: never[]) => Promise<infer Result>
  ? Result
  : never;

export type SessionView = Answer<'view'>;
export type Plan = Answer<'plan'>;
export type Board = Answer<'board'>;
export type RevisionText = Answer<'revision'>;
export type RevisionDiff = Answer<'diff'>;
export type Blockers = Answer<'blockers'>;
export type ArtifactText = Answer<'artifact'>;
export type Overview = Answer<'overview'>;
export type Glance = Overview['sessions'][number];
export type OwnerWait = Glance['waits'][number];
export type Invitation = Answer<'invite'>;
export type LogReport = Answer<'verifyLog'>;
