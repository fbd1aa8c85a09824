import { visible } from '../../../../src/text/visible.ts';
import type { Plan } from '../../api/types.ts';
import { Badge, SafeText } from '../../ui/text/shown.tsx';

type Issue = Plan['validation_errors'][number];

export function ValidationPanel({ plan }: { readonly plan: Plan }) {
  const {
    validation_errors: errors,
    validation_warnings: warnings,
    error_count,
    warning_count,
    validator_version,
  } = plan;
  return (
    <section class="card" aria-labelledby="validation-head">
      <h2 id="validation-head">
        Validation{' '}
        <Badge tone={error_count > 0 ? 'bad' : warning_count > 0 ? 'warn' : 'good'}>
          {error_count === 0 && warning_count === 0
            ? 'nothing found'
            : `errors: ${error_count}, warnings: ${warning_count}`}
        </Badge>
      </h2>
      <p class="muted">Validator {validator_version}</p>
      <ul class="issues">
        {errors.map((issue) => (
          <IssueItem key={`${issue.code} ${issue.pointer} ${issue.message}`} issue={issue} tone="bad" />
        ))}
        {warnings.map((issue) => (
          <IssueItem key={`${issue.code} ${issue.pointer} ${issue.message}`} issue={issue} tone="warn" />
        ))}
      </ul>
    </section>
  );
}

function IssueItem({ issue, tone }: { readonly issue: Issue; readonly tone: 'bad' | 'warn' }) {
  return (
    <li>
      <Badge tone={tone}>{tone === 'bad' ? 'error' : 'warning'}</Badge> <code>{issue.code}</code>{' '}
      <code class="muted">{visible(issue.pointer)}</code>
      <p>
        <SafeText text={issue.message} />
      </p>
      <p class="muted">
        <SafeText text={issue.hint} />
      </p>
    </li>
  );
}
