import { useSignal } from '@preact/signals';
import { call } from '../api/client.ts';
import type { AccountList } from '../api/types.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { Field } from '../ui/controls/field.tsx';
import { Failure } from '../ui/requests/failure.tsx';
import { useAction } from '../ui/requests/use-action.ts';
import { Badge, SafeText } from '../ui/text/shown.tsx';

import { leave } from './leave.ts';
import type { Leaver } from './left-behind.tsx';

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
      <ul class="access">
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
        <strong>
          <SafeText text={name} />
        </strong>{' '}
        <code>{account_id}</code> {closed_at !== null && <Badge>closed</Badge>}
      </p>
      <p class="muted">
        {people} {people === 1 ? 'person' : 'people'}; {uses.join(', ')}
      </p>
      {added_at !== null && (
        <div class="person-controls">
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

function AddAccount({ onChange }: { readonly onChange: (what: string) => void }) {
  const name = useSignal('');
  const action = useAction();
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    const given = name.value;
    if (!(await action.run(() => call('addAccount', { name: given })))) return;
    name.value = '';
    onChange(`${given} is added`);
  };
  return (
    <form class="stack" onSubmit={(event) => void add(event)}>
      <Failure error={action.error} />
      <Field
        label="New account"
        value={name.value}
        required
        onInput={(text) => {
          name.value = text;
        }}
      />
      <div class="buttons">
        <button type="submit" disabled={action.isBusy || name.value.trim() === ''}>
          Add the account
        </button>
      </div>
    </form>
  );
}
