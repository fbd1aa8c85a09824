import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { hasSignedIn, signIn, signInWithCompany, signOut, signsCompanyIn } from '../api/client.ts';
import { submitting } from '../state/setting.ts';
import { bound, Field } from '../ui/controls/form.tsx';
import { Failure, useAction } from '../ui/requests.tsx';

interface SignInProps {
  readonly onDone: () => void;
}

export function SignIn({ onDone }: SignInProps) {
  return (
    <main class="stack sign-in">
      <h1>Parley</h1>
      {hasSignedIn() && <p role="status">Your sign-in has ended.</p>}
      <CompanySignIn onDone={onDone} />
      <SignInForm onDone={onDone} />
    </main>
  );
}

/** A dialog that asks for the owner key after the sign-in has ended. The page below the dialog stays as it is. */
export function SignInAgain({ onDone }: SignInProps) {
  const place = useRef<HTMLDialogElement>(null);
  const open = (): void => {
    if (place.current?.isConnected && !place.current.open) place.current.showModal();
  };
  useEffect(open, []);
  return (
    // The dialog must stay open until the owner has signed in, so Escape is ignored. If the browser still closes the
    // dialog, `open` shows it again.
    <dialog ref={place} aria-labelledby="sign-in-head" onCancel={(event) => event.preventDefault()} onClose={open}>
      <header>
        <h2 id="sign-in-head">Sign in again</h2>
      </header>
      <div class="stack">
        <p role="status">Your sign-in has ended.</p>
        <p>The page behind this dialog stays as it is, and keeps what you typed.</p>
        <CompanySignInElsewhere />
        <SignInForm onDone={onDone} />
        <button type="button" class="quiet" onClick={() => void signOut()}>
          Sign out instead, and forget what I typed
        </button>
      </div>
    </dialog>
  );
}

/** Whether the server offers a sign-in with company accounts. False until the server has answered. */
function useCompany(): boolean {
  const isPossible = useSignal(false);
  useEffect(() => {
    void signsCompanyIn().then(bound(isPossible).onChange, () => undefined);
  }, []);
  return isPossible.value;
}

/** The button that signs in with a company account. Renders nothing if the server does not offer this. */
function CompanySignIn({ onDone }: SignInProps) {
  const action = useAction();
  const begin = async (): Promise<void> => {
    let isDone = false;
    await action.run(async () => {
      isDone = await signInWithCompany();
    });
    if (isDone) onDone();
  };
  if (!useCompany()) return null;
  return (
    <section class="stack" aria-label="Company account">
      <button type="button" class="primary" disabled={action.isBusy} onClick={() => void begin()}>
        Sign in with your company account
      </button>
      <Failure error={action.error} />
      <p class="muted or">or with a key</p>
    </section>
  );
}

/**
 * A link in the dialog for an ended sign-in. It opens the company sign-in in a new tab, so that this page keeps what
 * the user has typed. When the new tab has signed in, this tab is signed in too.
 */
function CompanySignInElsewhere() {
  if (!useCompany()) return null;
  return (
    <p>
      <a href="/owner/" target="_blank" rel="noopener">
        Sign in with your company account in a new tab
      </a>
      , or here with a key.
    </p>
  );
}

/** The sign-in form. The owner key is sent once and is never stored in the browser. */
function SignInForm({ onDone }: SignInProps) {
  const key = useSignal('');
  const action = useAction();
  const submit = async (): Promise<void> => {
    if (await action.run(() => signIn(key.value.trim()))) onDone();
  };
  return (
    <>
      <p>
        Sign in with the owner key. The server printed the key at its first start. The key is in the file{' '}
        <code>owner-key</code> of the server's data folder, unless it was set as <code>PARLEY_OWNER_KEY</code>.
      </p>
      <form onSubmit={submitting(submit)}>
        <Field
          label="Owner key"
          type="password"
          autocomplete="current-password"
          {...bound(key)}
          required
          placeholder="pok_…"
        />
        <Failure error={action.error} />
        <button type="submit" class="primary" disabled={action.isBusy}>
          Sign in
        </button>
      </form>
    </>
  );
}
