import type { ApiError } from '../../api/api-error.ts';
import { usePageTitle } from '../../state/page-title.ts';
import { Failure } from './failure.tsx';
import { useAction } from './use-action.ts';

interface FailedPageProps {
  readonly title: string;
  readonly error: ApiError;
  /** Reads the data of the page again. */
  readonly onRetry: () => Promise<void>;
}

/** Shown instead of a page whose data could not be read. */
export function FailedPage({ title, error, onRetry }: FailedPageProps) {
  usePageTitle(title);
  const { isBusy, run } = useAction();
  return (
    <section class="stack failed-page">
      <h1>{title}</h1>
      <Failure error={error} />
      <button type="button" class="primary" disabled={isBusy} onClick={() => void run(onRetry)}>
        Try again
      </button>
    </section>
  );
}
