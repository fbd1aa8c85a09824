import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';

/**
 * Makes a component whose code is loaded when it is shown for the first time. If loading fails, a button that tries
 * again is shown.
 *
 * @param Meanwhile shown while the code is loading
 */
export function lazy<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  Meanwhile: FunctionComponent<Props> = Loading,
): FunctionComponent<Props> {
  const loaded = signal<FunctionComponent<Props> | null>(null);
  const hasFailed = signal(false);
  let isLoading = false;
  const start = async (): Promise<void> => {
    if (isLoading) return;
    isLoading = true;
    hasFailed.value = false;
    try {
      loaded.value = await load();
    } catch {
      hasFailed.value = true;
    }
    isLoading = false;
  };
  return (props) => {
    useEffect(() => {
      if (loaded.value === null) void start();
    }, []);
    const Loaded = loaded.value;
    if (Loaded) return <Loaded {...props} />;
    return hasFailed.value ? <NotLoaded onRetry={() => void start()} /> : <Meanwhile {...props} />;
  };
}

function Loading() {
  return <p class="waiting">Loading…</p>;
}

function NotLoaded({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <div class="failure" role="alert">
      <p>This part of the page could not be loaded from the server.</p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
