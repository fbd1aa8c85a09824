import type { ApiError } from '../../api/api-error.ts';

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
