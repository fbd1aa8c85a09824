import { recordPath } from '../../../src/text/record-address.ts';
import { shortened } from '../../../src/text/visible.ts';
import { LazyMarkdown, useRecord } from '../ui/requests.tsx';
import { IdLink, Link } from '../ui/text/linked-text.tsx';
import { Badge, SafeText } from '../ui/text/shown.tsx';

/** Maximum number of characters of a finding's text in the inbox. */
const SHORT_CHARS = 400;

interface FindingWordsProps {
  readonly sessionId: string;
  readonly findingId: string;
  /** A number that changes when the finding may have changed; 0 in the inbox, which does not follow the session. */
  readonly version?: number;
  /** Whether the finding is shown in the inbox: shortened, and with a link to the page of its session. */
  readonly isInInbox?: boolean;
}

/** Shows the text of a finding with a link to it. Shows nothing until the finding is loaded, or if loading fails. */
export function FindingWords({ sessionId, findingId, version = 0, isInInbox = false }: FindingWordsProps) {
  const { record: finding } = useRecord(sessionId, 'finding', findingId, version);
  if (!finding) return null;
  const text = finding.text ?? '';
  return (
    <div class="reply">
      <p class="facts">
        <span>
          The hold rests on{' '}
          {isInInbox ? <Link to={recordPath(sessionId, findingId)}>{findingId}</Link> : <IdLink id={findingId} />}
        </span>
        <Badge tone="plain">{finding.status}</Badge>
      </p>
      {isInInbox ? <SafeText in="p" text={shortened(text, SHORT_CHARS)} /> : <LazyMarkdown text={text} />}
    </div>
  );
}
