import type { Owner, PeopleCalls } from '@parley/core';

/** The parsed JSON answer of an owner operation. */
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
export type Inbox = Answer<'inbox'>;
export type Glance = Overview['sessions'][number];
export type OwnerWait = Glance['waits'][number];
export type Invitation = Answer<'invite'>;
export type BriefAnswer = Answer<'brief'>;
export type Report = Answer<'report'>;
export type Transcript = Answer<'transcript'>;
export type LogReport = Answer<'verifyLog'>;
export type RecordsAnswer = Answer<'records'>;
export type Changes = Answer<'changes'>;
export type Audit = Answer<'audit'>;
export type Me = Answer<'whoAmI'> & { readonly account?: Awaited<ReturnType<PeopleCalls['ownAccount']>> };
export type PeopleList = Awaited<ReturnType<PeopleCalls['listPeople']>>;
export type AccountList = Awaited<ReturnType<PeopleCalls['listAccounts']>>;
export type AddedPerson = Awaited<ReturnType<PeopleCalls['addPerson']>>;
/** The answer to a call that takes rights from people, and what these people leave behind. */
export type Leaving = Pick<Awaited<ReturnType<PeopleCalls['revokePerson']>>, 'left'>;
export type LeftBehind = NonNullable<Leaving['left']>;
