import type { ApiError } from '../../api/api-error.ts';
import { usePageTitle } from '../../state/page-title.ts';
import { useAction } from './use-action.ts';

export function Failure({ error }: { readonly error: ApiError | null }) {
  if (!error) return null;
  const issues = Array.isArray(error.body.issues) ? error.body.issues : [];
  return (
    <div class="failure" role="alert">
      <strong>{error.message}</strong>
      {issues.length > 1 && (
        <ul>
          {issues.map((issue: { path?: string; message?: string }) => (
            <li key={`${issue.path} ${issue.message}`}>
              <code>{issue.path}</code> {issue.message}
            </li>
          ))}
        </ul>
      )}
      {error.hint && <p>{error.hint}</p>}
      {typeof error.body.trace_id === 'string' && (
        <p>
          trace_id <code>{error.body.trace_id}</code> of the call <code>{error.path}</code>
        </p>
      )}
    </div>
  );
}

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
