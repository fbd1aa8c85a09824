import { useSignal } from '@preact/signals';
import { visibleLine } from '../../../src/text/visible.ts';
import { FIRST_PERSON_ID } from '../../../src/transcript/message.ts';
import type { AccountList, AddedPerson, PeopleList } from '../api/answers.ts';
import { call, hasRole, me } from '../api/client.ts';
import { announce } from '../state/announced.ts';
import { ConfirmButton } from '../ui/controls/buttons.tsx';
import { Dialog } from '../ui/controls/dialog.tsx';
import { bound, Choice, Field } from '../ui/controls/form.tsx';
import { Failure, Pending, useAction, useCall } from '../ui/requests.tsx';
import { Copyable } from '../ui/text/copyable.tsx';
import { Badge, SafeText, When } from '../ui/text/shown.tsx';
import { type Leaver, LeftBehindPanel, leave } from './left-behind.tsx';
import '../styles/people.css';
import { setting, submitting } from '../state/setting.ts';

type Account = AccountList['accounts'][number];

const LIMITS = ['sessions', 'events', 'bytes'] as const;

interface AccountsPanelProps {
  readonly accounts: readonly Account[];
  readonly onChange: (what: string) => void;
  readonly onLeave: (leaver: Leaver) => void;
}

/**
 * The accounts of the service, for the holder of the owner key. Shows how much of its limits each account uses, and has
 * forms to add and close accounts.
 */
export function AccountsPanel({ accounts, onChange, onLeave }: AccountsPanelProps) {
  return (
    <section class="card stack" aria-label="Accounts">
      <h2>Accounts</h2>
      <p class="muted">
        An account has sessions and people of its own, which no other account can see. The command{' '}
        <code>parley accounts change</code> sets the limits of an account.
      </p>
      <ul class="access quotes">
        {accounts.map((account) => (
          <AccountItem key={account.account_id} account={account} onChange={onChange} onLeave={onLeave} />
        ))}
      </ul>
      <AddAccount onChange={onChange} />
    </section>
  );
}

interface AccountItemProps extends Omit<AccountsPanelProps, 'accounts'> {
  readonly account: Account;
}

function AccountItem({ account, onChange, onLeave }: AccountItemProps) {
  const { account_id, name, people, limits, used, added_at, closed_at } = account;
  const uses = LIMITS.map((limit) => `${count(used[limit])}${of(limits[limit])} ${limit}`);
  const close = async (): Promise<void> => {
    await leave(name, (end_access) => call('closeAccount', { account_id, end_access }), onLeave);
    onChange(`${name} is closed`);
  };
  const reopen = async (): Promise<void> => {
    await call('reopenAccount', { account_id });
    onChange(`${name} is open again`);
  };
  return (
    <li>
      <p>
        <SafeText in="strong" text={name} /> <code>{account_id}</code> {closed_at !== null && <Badge>closed</Badge>}
      </p>
      <p class="muted">
        {people} {people === 1 ? 'person' : 'people'}; {uses.join(', ')}
      </p>
      {added_at !== null && (
        <div class="row person-controls">
          {closed_at === null ? (
            <ConfirmButton
              label="Close…"
              question={`Close ${name}? Its people are refused from the next request on, and within 5 seconds nothing more is stored for its agents. Its sessions stay stored.`}
              yes="Yes, close it"
              isDangerous
              onConfirm={close}
            />
          ) : (
            <ConfirmButton
              label="Reopen…"
              question={`Reopen ${name}? The keys of its people work again.`}
              yes="Yes, reopen it"
              onConfirm={reopen}
            />
          )}
        </div>
      )}
    </li>
  );
}

const count = (amount: number): string => amount.toLocaleString('en');

const of = (limit: number | null): string => (limit === null ? '' : ` of ${count(limit)}`);

function AddAccount({ onChange }: Pick<AccountsPanelProps, 'onChange'>) {
  const name = useSignal('');
  const action = useAction();
  const add = async (): Promise<void> => {
    const given = name.value;
    if (!(await action.run(() => call('addAccount', { name: given })))) return;
    name.value = '';
    onChange(`${given} is added`);
  };
  return (
    <form class="stack" onSubmit={submitting(add)}>
      <Failure error={action.error} />
      <Field label="New account" {...bound(name)} required />
      <div class="buttons">
        <button type="submit" disabled={action.isBusy || name.value.trim() === ''}>
          Add the account
        </button>
      </div>
    </form>
  );
}

export type GivenRole = PeopleList['people'][number]['role'];

const ROLE_NAMES = {
  viewer: 'Viewer: reads everything',
  operator: 'Operator: also writes',
  approver: 'Approver: also approves and authorizes',
} satisfies Readonly<Record<GivenRole, string>>;

/**
 * Lists the roles that the signed-in person can give to others. Only the holder of the owner key can make a person an
 * approver.
 */
export const rolesToGive = (): readonly (readonly [GivenRole, string])[] =>
  (Object.entries(ROLE_NAMES) as [GivenRole, string][]).filter(
    ([role]) => role !== 'approver' || me.value?.id === FIRST_PERSON_ID,
  );

interface AddPersonProps {
  readonly accounts: AccountList['accounts'];
  readonly onAdded: (added: AddedPerson) => void;
}

export function AddPerson({ accounts, onAdded }: AddPersonProps) {
  const open = accounts.filter(({ closed_at }) => closed_at === null);
  const account = useSignal<string | undefined>(undefined);
  const name = useSignal('');
  const role = useSignal<GivenRole>('viewer');
  const action = useAction();
  const add = async (): Promise<void> => {
    const added = await call('addPerson', { name: name.value, role: role.value, account_id: account.value });
    name.value = '';
    onAdded(added);
  };
  return (
    <form class="card stack" onSubmit={submitting(() => action.run(add))}>
      <h2>Add a person</h2>
      <Failure error={action.error} />
      <Field label="Name" {...bound(name)} required />
      <Choice label="Role" {...bound(role)} options={rolesToGive()} />
      {open.length > 1 && (
        <Choice
          label="Account"
          {...bound(account)}
          value={account.value ?? open[0]?.account_id ?? ''}
          options={open.map(({ account_id, name }) => [account_id, visibleLine(name)])}
        />
      )}
      <div class="buttons">
        <button type="submit" class="primary" disabled={action.isBusy || name.value.trim() === ''}>
          Add
        </button>
      </div>
    </form>
  );
}

/** Shows the key of a new person. The key can be seen only in this dialog: no later answer contains it. */
export function KeyDialog({ added, onClose }: { readonly added: AddedPerson; readonly onClose: () => void }) {
  return (
    <Dialog title={`The key of ${added.person.name}`} onClose={onClose}>
      <div class="stack">
        <p>
          This key is shown once. Give it only to this person, who can then sign in to the console and use the command
          line.
        </p>
        <Copyable label="Key" text={added.key} />
        <footer class="buttons">
          <button type="button" class="primary" onClick={onClose}>
            I have passed the key on
          </button>
        </footer>
      </div>
    </Dialog>
  );
}

type Listed = PeopleList['people'][number];

/**
 * The page that lists the people who may sign in. An approver adds people, changes their roles, revokes and readmits
 * them here.
 */
export function PeoplePage() {
  const version = useSignal(0);
  const added = useSignal<AddedPerson | null>(null);
  const leaver = useSignal<Leaver | null>(null);
  const { value, error } = useCall('listPeople', {}, version.value);
  const { value: accounts } = useCall('listAccounts', {}, version.value);
  const names = new Map((accounts?.accounts ?? []).map(({ account_id, name }) => [account_id, name]));
  const changed = (what: string): void => {
    version.value += 1;
    announce(`${what}.`);
  };
  const { onChange: showLeaver } = bound(leaver);
  const canChange = hasRole('approver');
  const hasNoPeople = error?.code === 'NOT_FOUND';
  return (
    <div class="stack people-page">
      <header class="row page-head">
        <h1>People</h1>
      </header>
      <p class="muted">
        Each person has a role, and a key or a company account. The events of a session name the person who made them.{' '}
        {!canChange && 'To change people, you need the role approver.'}
      </p>
      {hasNoPeople ? (
        <p class="card">
          {error.message} {error.hint}
        </p>
      ) : (
        <Failure error={error} />
      )}
      {leaver.value && <LeftBehindPanel leaver={leaver.value} onClose={() => showLeaver(null)} />}
      {value === null && !error && <Pending />}
      {value?.people.length === 0 && <p class="empty">Nobody can sign in besides the holder of the owner key.</p>}
      {value && value.people.length > 0 && (
        <ul class="access quotes card">
          {value.people.map((person) => (
            <PersonItem
              key={person.person_id}
              person={person}
              account={names.size > 1 ? names.get(person.account_id) : undefined}
              canChange={canChange}
              onChange={changed}
              onLeave={showLeaver}
            />
          ))}
        </ul>
      )}
      {canChange && !hasNoPeople && (
        <AddPerson
          accounts={accounts?.accounts ?? []}
          onAdded={(result) => {
            added.value = result;
            changed(`${result.person.name} is added`);
          }}
        />
      )}
      {value && value.revoked.length > 0 && <Revoked people={value.revoked} canChange={canChange} onChange={changed} />}
      {accounts && me.value?.id === FIRST_PERSON_ID && (
        <AccountsPanel accounts={accounts.accounts} onChange={changed} onLeave={showLeaver} />
      )}
      {added.value && <KeyDialog added={added.value} onClose={setting(added, null)} />}
    </div>
  );
}

interface PersonItemProps extends Omit<AccountsPanelProps, 'accounts'> {
  readonly person: Listed;
  /** Name of the person's account. Undefined if the page shows the people of one account only. */
  readonly account: string | undefined;
  readonly canChange: boolean;
}

function PersonItem({ person, account, canChange, onChange, onLeave }: PersonItemProps) {
  const { person_id, name, role, key_prefix, subject, added_at, added_by, last_used_at } = person;
  const what = subject === null ? 'the key of ' : '';
  const action = useAction();
  const giving = (next: GivenRole) => (end_access?: true) =>
    call('setPersonRole', { person_id, role: next, end_access });
  const setRole = async (next: GivenRole): Promise<void> => {
    if (await action.run(() => leave(name, giving(next), onLeave))) onChange(`${name} has the role ${next} now`);
  };
  const showLeft = (): Promise<void> => leave(name, giving(role), (leaver) => onLeave({ ...leaver, wasAsked: true }));
  const revoke = async (): Promise<void> => {
    await leave(name, (end_access) => call('revokePerson', { person_id, end_access }), onLeave);
    onChange(`${name} is revoked`);
  };
  return (
    <li>
      <p>
        <SafeText in="strong" text={name} /> <Badge tone={role === 'approver' ? 'live' : 'plain'}>{role}</Badge>{' '}
        {account !== undefined && <Badge>{visibleLine(account)}</Badge>}{' '}
        {key_prefix !== null && <code>{key_prefix}…</code>}
      </p>
      {subject !== null && (
        <p class="muted">
          Company account <SafeText text={subject} />
        </p>
      )}
      <p class="muted">
        {subject === null ? 'Added ' : 'First sign-in '}
        <When at={added_at} />
        {subject === null && <SafeText text={` by ${added_by?.name ?? 'the application'}`} />};{' '}
        {last_used_at ? 'last used ' : 'not used since the server started'}
        {last_used_at && <When at={last_used_at} />}
      </p>
      <Failure error={action.error} />
      {canChange && (
        <div class="row person-controls">
          {subject === null && (role !== 'approver' || me.value?.id === FIRST_PERSON_ID) && (
            <Choice
              label={`Role of ${name}`}
              value={role}
              options={rolesToGive()}
              onChange={(next) => void setRole(next)}
            />
          )}
          {subject !== null && role !== 'approver' && (
            <button type="button" onClick={() => void action.run(showLeft)}>
              What is left behind…
            </button>
          )}
          <ConfirmButton
            label={subject === null ? 'Revoke the key…' : 'Revoke…'}
            question={`Revoke ${what}${name}? Every sign-in of ${name} ends. This cannot be undone.`}
            yes="Yes, revoke it"
            needs="approver"
            isDangerous
            onConfirm={revoke}
          />
        </div>
      )}
    </li>
  );
}

interface RevokedProps extends Pick<PersonItemProps, 'canChange' | 'onChange'> {
  readonly people: PeopleList['revoked'];
}

function Revoked({ people, canChange, onChange }: RevokedProps) {
  const readmit = async (id: string, name: string): Promise<void> => {
    await call('readmitPerson', { person_id: id });
    onChange(`${name} may sign in again`);
  };
  return (
    <details class="card">
      <summary>{people.length} revoked</summary>
      <ul class="bullets">
        {people.map(({ person_id, name, subject, readmitted, revoked_at, revoked_by }) => (
          <li key={person_id}>
            <SafeText text={name} />, <When at={revoked_at} /> by{' '}
            <SafeText text={revoked_by?.name ?? 'the application'} />
            {readmitted && '; may sign in again'}
            {canChange && subject !== null && !readmitted && (
              <ConfirmButton
                label="Readmit…"
                question={`Let the company account of ${name} sign in again? Its groups decide the role.`}
                yes="Yes, readmit"
                onConfirm={() => readmit(person_id, name)}
              />
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
