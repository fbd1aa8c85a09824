import { LIMITED, type OwnerLimits } from '../kernel/engine/owner-allowances.ts';
import { fail } from '../kernel/errors.ts';
import { lookUp, valuesOf } from '../kernel/log/persistent-collections.ts';
import { mapConcurrent } from '../kernel/maps.ts';
import { readInput, refuseInput } from '../kernel/operation/input.ts';
import { type Acting, FIRST_ACCOUNT, isFirst, type Person, requireRole } from '../kernel/person.ts';
import type { OwnerUse } from '../kernel/storage/storage.ts';
import { isRecord } from '../kernel/text/json-value.ts';
import { plural } from '../kernel/text/readable.ts';
import { echoName } from '../kernel/text/safe-echo.ts';
import { type RandomBytes, randomText } from '../kernel/token/token.ts';
import type { Leaving } from './leaving.ts';
import { PEOPLE_METHODS, type PeopleCalls, type PeopleMethod, type PeopleOutput } from './methods.ts';
import { type ChangePeople, changesBy, forbidAccount, type PeopleLog } from './rules.ts';
import {
  byOf,
  createNameSearch,
  givenName,
  type KnownAccount,
  type PeopleDraft,
  type PeopleState,
  refuseName,
  unrevoked,
} from './state.ts';

/** The calls about accounts. Only the holder of the owner key, or the application without a person, can change accounts. */
type AccountCalls = Pick<
  PeopleCalls,
  'ownAccount' | 'eventFilter' | 'listAccounts' | 'addAccount' | 'changeAccount' | 'closeAccount' | 'reopenAccount'
>;

interface AccountParts {
  readonly log: PeopleLog;
  readonly random: RandomBytes;
  /** Counts the sessions, events and bytes of an account. */
  readonly usageOf: (accountId: string) => Promise<OwnerUse>;
  readonly leaving: Leaving;
}

const ACCOUNT_ID_CHARS = 10;
const MAX_ACCOUNTS = 500;
/** Maximum number of accounts whose sessions, events and bytes are counted at the same time. */
const MAX_COUNTS = 4;

/** Creates the calls of one person about accounts. Without a person, the application itself calls, and every call is allowed. */
export function accountCalls({ log, random, usageOf, leaving }: AccountParts, acting: Acting): AccountCalls {
  const { person } = acting;
  const allow = allowFirst(person);
  const changeLog = changesOfFirst(changesBy(log, acting));
  const change = changesOfAccounts({ log, usageOf }, allow, changeLog);
  return {
    async ownAccount() {
      const state = await log.load();
      if (state.accounts.size === 1) return undefined;
      const { id, name } = knownAccount(state, accountOf(state, person) ?? FIRST_ACCOUNT.id);
      return { account_id: id, name };
    },

    async eventFilter() {
      const state = await log.load();
      const own = accountOf(state, person);
      return (data) => own === undefined || accountOfEvent(state, data) === own;
    },

    async listAccounts() {
      requireRole(person, PEOPLE_METHODS.listAccounts.role, 'listAccounts');
      const state = await log.load();
      const own = accountOf(state, person);
      const accounts = own === undefined ? valuesOf(state.accounts) : [knownAccount(state, own)];
      return {
        accounts: await mapConcurrent(MAX_COUNTS, accounts, async (known) =>
          viewAccount(state, known, await usageOf(known.id)),
        ),
      };
    },

    async addAccount(raw) {
      allow('addAccount');
      const { name: given, limits: wanted = {} } = readInput(PEOPLE_METHODS.addAccount.input, raw);
      const [name, limits] = [givenName(given), changedLimits({}, wanted)];
      const id = `acc_${randomText(random, ACCOUNT_ID_CHARS)}`;
      const state = await changeLog('addAccount', (before) => {
        requireFreeName(before, name);
        if (before.accounts.size >= MAX_ACCOUNTS)
          fail(
            'LIMIT_EXCEEDED',
            `A service has at most ${plural(MAX_ACCOUNTS, 'account')}, and closed accounts count too.`,
            { hint: 'Instead of adding an account, reopen a closed account and change its name.' },
          );
        const limited = { kind: 'account.limited', data: { account_id: id, name, limits } } as const;
        return [
          { kind: 'account.added', data: { account_id: id, name } },
          ...(Object.keys(limits).length > 0 ? [limited] : []),
        ];
      });
      return { account: viewAccount(state, knownAccount(state, id), { sessions: 0, events: 0, bytes: 0 }) };
    },

    async changeAccount(id, raw) {
      allow('changeAccount');
      const { name: given, limits: wanted = {} } = readInput(PEOPLE_METHODS.changeAccount.input, raw);
      return await change('changeAccount', id, (known, state) => {
        const name = given === undefined ? known.name : givenName(given);
        if (given !== undefined) requireFreeName(state, name, id);
        const limits = changedLimits(known.limits, wanted);
        const isLimited = LIMITED.some((limit) => limits[limit] !== known.limits[limit]);
        const drafts: PeopleDraft[] = [];
        if (known.name !== name) drafts.push({ kind: 'account.renamed', data: { account_id: id, name } });
        if (isLimited) drafts.push({ kind: 'account.limited', data: { account_id: id, name, limits } });
        return drafts;
      });
    },

    ...closingCalls(change, leaving),
  };
}

type ChangeAccount = (
  name: PeopleMethod,
  id: string,
  decide: (known: KnownAccount, state: PeopleState) => readonly PeopleDraft[],
) => Promise<PeopleOutput<'closeAccount'>>;

const allowFirst =
  (person: Person | undefined) =>
  (name: PeopleMethod): void => {
    requireRole(person, PEOPLE_METHODS[name].role, name);
    requireFirst(person);
  };

/** Counts the use of the account before the change, because a change that is stored must get its answer. */
const changesOfAccounts =
  (
    { log, usageOf }: Pick<AccountParts, 'log' | 'usageOf'>,
    allow: (name: PeopleMethod) => void,
    changeLog: ChangePeople,
  ): ChangeAccount =>
  async (name, id, decide) => {
    allow(name);
    const used = await usageOf(knownAccount(await log.load(), id).id);
    const state = await changeLog(name, (before) => decide(knownAccount(before, id), before));
    return { account: viewAccount(state, knownAccount(state, id), used) };
  };

/** Like `change`, for the holder of the owner key only. */
const changesOfFirst =
  (change: ChangePeople): ChangePeople =>
  (name, decide) =>
    change(name, (state, caller) => {
      requireFirst(caller);
      return decide(state, caller);
    });

function requireFirst(person: Person | undefined): void {
  if (!isFirst(person)) forbidAccount('Only the holder of the owner key can change accounts.');
}

const closingCalls = (
  change: ChangeAccount,
  leaving: Leaving,
): Pick<AccountCalls, 'closeAccount' | 'reopenAccount'> => ({
  /** A closed account keeps its sessions. Changes nothing if it is closed already, but still ends the access if the input asks for it. */
  async closeAccount(id, raw = {}) {
    const { end_access: ends } = readInput(PEOPLE_METHODS.closeAccount.input, raw);
    const answer = await change('closeAccount', id, ({ closed, name }) => {
      if (id === FIRST_ACCOUNT.id)
        refuseInput([{ path: 'account_id', message: 'The first account cannot be closed.' }]);
      return closed ? [] : [{ kind: 'account.closed', data: { account_id: id, name } }];
    });
    return { ...answer, ...(await leaving.ofAccount(id, ends)) };
  },

  async reopenAccount(id) {
    return await change('reopenAccount', id, ({ closed, name }) =>
      closed ? [{ kind: 'account.reopened', data: { account_id: id, name } }] : [],
    );
  },
});

/**
 * The account for which a person acts. Undefined for the holder of the owner key and for the application, because they act for all
 * accounts. A person who is not in the log acts for the first account.
 */
export const accountOf = (state: PeopleState, person: Person | undefined): string | undefined =>
  !person || isFirst(person) ? undefined : (lookUp(state.people, person.id)?.accountId ?? FIRST_ACCOUNT.id);

/** The id of the account that an event in the log of people is about. */
function accountOfEvent({ people }: PeopleState, data: unknown): string {
  const { person_id: personId, account_id: accountId } = isRecord(data) ? data : {};
  const known = typeof personId === 'string' ? lookUp(people, personId) : undefined;
  return known?.accountId ?? String(accountId);
}

/**
 * The open account to which the caller `person` adds another person.
 *
 * @param wanted the account id that the call names; by default the account of the caller
 * @throws ParleyError ROLE_FORBIDDEN for another account than the caller's, whether that account exists or not
 */
export function openAccount(state: PeopleState, person: Person | undefined, wanted: string | undefined): KnownAccount {
  const own = accountOf(state, person);
  if (own !== undefined && wanted !== undefined && wanted !== own)
    forbidAccount('Only the holder of the owner key can add a person of another account.');
  const account = knownAccount(state, wanted ?? own ?? FIRST_ACCOUNT.id);
  if (account.closed)
    refuseInput([{ path: 'account_id', message: 'The account is closed. Reopen the account, or name another one.' }]);
  return account;
}

const knownAccount = ({ accounts }: PeopleState, id: string): KnownAccount =>
  lookUp(accounts, id) ??
  fail('UNKNOWN_RECORD', 'There is no account with this id.', {
    record: { type: 'account', id: echoName(id) },
    hint: 'Run `parley accounts` for the ids of accounts.',
  });

/** Refuses a name that another account has. */
function requireFreeName({ accounts }: PeopleState, name: string, except?: string): void {
  const taken = createNameSearch(valuesOf(accounts).filter(({ id }) => id !== except))(name);
  if (taken) refuseName(`An account has this name already (${taken.id}), or one that looks the same.`);
}

const viewAccount = (state: PeopleState, { id, name, limits, added, closed }: KnownAccount, used: OwnerUse) => ({
  account_id: id,
  name,
  people: unrevoked(state).filter(({ accountId }) => accountId === id).length,
  limits: { sessions: limits.sessions ?? null, events: limits.events ?? null, bytes: limits.bytes ?? null },
  used: { ...used },
  added_at: added?.at ?? null,
  added_by: added ? byOf(added) : null,
  closed_at: closed?.at ?? null,
  closed_by: closed ? byOf(closed) : null,
});

/** The limits after a change: a limit that is left out stays, and null removes it. */
function changedLimits(
  before: OwnerLimits,
  wanted: { readonly [limit in keyof OwnerUse]?: number | null | undefined },
): OwnerLimits {
  const limits = LIMITED.flatMap((limit) => {
    const value = wanted[limit] === undefined ? before[limit] : wanted[limit];
    return value === undefined || value === null ? [] : [[limit, value] as const];
  });
  return Object.fromEntries(limits);
}
