import { useSignal } from '@preact/signals';
import { hasSignedIn, signIn } from '../api/client.ts';
import { Failure } from '../ui/failure.tsx';
import { Field } from '../ui/field.tsx';
import { useAction } from '../ui/use-action.ts';

/** The sign-in form. The owner key is sent once and never stored in the browser. */
export function SignIn({ onDone }: { readonly onDone: () => void }) {
  const key = useSignal('');
  const action = useAction();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (await action.run(() => signIn(key.value.trim()))) onDone();
  };
  return (
    <main class="sign-in">
      <h1>Parley</h1>
      {hasSignedIn() && <p role="status">Your sign-in has ended.</p>}
      <p>
        Sign in with the owner key. The server printed it when it first started, and keeps it in the file{' '}
        <code>owner-key</code> of its data folder; or it was set as <code>PARLEY_OWNER_KEY</code>.
      </p>
      <form onSubmit={(event) => void submit(event)}>
        <Field
          label="Owner key"
          type="password"
          autocomplete="current-password"
          value={key.value}
          required
          placeholder="pok_…"
          onInput={(value) => {
            key.value = value;
          }}
        />
        <Failure error={action.error} />
        <button type="submit" class="primary" disabled={action.isBusy}>
          Sign in
        </button>
      </form>
    </main>
  );
}
