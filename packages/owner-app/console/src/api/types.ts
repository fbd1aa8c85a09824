import type { Answer } from '@parley/core/client';

export type SessionView = Answer<'view'>;
export type Plan = Answer<'plan'>;
export type Board = Answer<'board'>;
export type Blockers = Answer<'blockers'>;
export type Overview = Answer<'overview'>;
export type Inbox = Answer<'inbox'>;
export type Glance = Overview['sessions'][number];
export type OwnerWait = Glance['waits'][number];
export type Invitation = Answer<'invite'>;
export type BriefAnswer = Answer<'brief'>;
export type LogReport = Answer<'verifyLog'>;
export type RecordsAnswer = Answer<'records'>;
export type Changes = Answer<'changes'>;
export type Audit = Answer<'audit'>;
export type GroupView = Answer<'group'>;
export type Found = Answer<'find'>;
export type Me = Answer<'whoAmI'>;
export type PeopleList = Answer<'listPeople'>;
export type AccountList = Answer<'listAccounts'>;
export type AddedPerson = Answer<'addPerson'>;
/** The answer to a call that takes rights from people, and what these people leave behind. */
export type Leaving = Pick<Answer<'revokePerson'>, 'left'>;
export type LeftBehind = NonNullable<Leaving['left']>;
