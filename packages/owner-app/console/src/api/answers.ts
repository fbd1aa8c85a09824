import type { Answer } from '@parley/core/client';

export type SessionView = Answer<'view'>;
export type Plan = Answer<'plan'>;
export type Board = Answer<'board'>;
export type Blockers = Answer<'blockers'>;
type Overview = Answer<'overview'>;
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

interface Refusal {
  readonly code: string;
  readonly message: string;
  /** What the user should do next. */
  readonly hint: string;
  /** The whole body of the server's answer. Empty for a refusal that this file defines, such as `WRONG_KEY`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The path of the refused call, such as `/owner/api/inbox`. Absent from a refusal that this file defines. */
  readonly path?: string;
}

/** The error of a call that the owner API has refused. If the call did not reach the server, `status` is 0. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  declare readonly code: Refusal['code'];
  declare readonly hint: Refusal['hint'];
  declare readonly body: Refusal['body'];
  declare readonly path: Refusal['path'];

  constructor(
    readonly status: number,
    refusal: Refusal,
  ) {
    super(refusal.message);
    Object.assign(this, refusal);
  }
}

/** The refusal of a wrong key. It has no hint, because the page shows the next step beside the key's field. */
export const WRONG_KEY: Refusal = { code: 'UNAUTHORIZED', message: 'The owner key is wrong.', hint: '', body: {} };

/** The refusal of a call after the sign-in has ended. */
export const SIGN_IN_ENDED: Refusal = {
  code: 'UNAUTHORIZED',
  message: 'Your sign-in had ended, so nothing was sent.',
  hint: 'Sign in, then press the button again. What you typed is still here.',
  body: {},
};

export const UNREACHABLE: Refusal = {
  code: 'UNREACHABLE',
  message: 'The server does not answer.',
  hint: 'Check that the server runs. This page loads its data again automatically. If you pressed a button, check whether the change was made before you press it again.',
  body: {},
};

export const BROKEN_OFF: Refusal = {
  code: 'BROKEN_OFF',
  message: 'The connection was lost before the whole answer had arrived.',
  hint: 'No file was saved. Start the download again.',
  body: {},
};

export function errorFrom({ status, url }: Response, answer: unknown): ApiError {
  const body: Readonly<Record<string, unknown>> = Object(answer);
  const { error = 'INTERNAL', message = `The server answered ${status}.`, hint = '' } = body;
  return new ApiError(status, {
    code: String(error),
    message: String(message),
    hint: String(hint),
    body,
    path: new URL(url).pathname,
  });
}
