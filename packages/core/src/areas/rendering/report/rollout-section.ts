import { bullets, code, inline } from '../markdown.ts';
import type { ReportedStage, ReportFacts } from './facts.ts';
import { MAX_LONG_TEXT_CHARS, short, time } from './report-text.ts';

/** The rollout of the approved contract, and for each stage its gates and the reports of the builders. */
export function rolloutSection({ rollout }: ReportFacts, limit: number): string[] {
  if (!rollout) return [];
  const { steps, rollback, stages } = rollout;
  const more = steps.length - limit;
  const items = steps.slice(0, limit).map((step, index) => `${index + 1}. ${inline(short(step))}`);
  return [
    '## Deployment and activation',
    steps.length > 0
      ? 'Rollout steps of the contract. Parley does not record which steps were taken: compare them with the reports of the agents.'
      : '',
    [...items, ...(more > 0 ? [`${limit + 1}. and ${more} more`] : [])].join('\n'),
    rollback && `Rollback: ${inline(short(rollback, MAX_LONG_TEXT_CHARS))}`,
    ...stages.flatMap((stage) => stagePart(stage, limit)),
  ];
}

function stagePart({ stage, isAuthorized, gates, reports }: ReportedStage, limit: number): string[] {
  const more = gates.length - limit;
  const items = [
    ...gates
      .slice(0, limit)
      .map(({ id, title, condition }) => `Gate ${code(id)} ${inline(short(title))}: ${inline(short(condition))}`),
    ...(more > 0 ? [`and ${more} more gates`] : []),
    ...reports.map(reportItem),
  ];
  const heading = `### ${stage === 'deployment' ? 'Deployment' : 'Activation'}: ${isAuthorized ? 'authorized' : 'not authorized'}`;
  return [heading, bullets(items)];
}

function reportItem({ by, at, note }: ReportedStage['reports'][number]): string {
  const name = inline(short(by));
  if (note === null) return `No report of ${name}`;
  return `Report of ${name}, ${time(at)}${note ? `: ${inline(short(note, MAX_LONG_TEXT_CHARS))}` : ', without a text'}`;
}
