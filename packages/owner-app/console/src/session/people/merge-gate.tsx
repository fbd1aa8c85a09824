import type { Answer } from '@parley/core/client';
import { useSignal } from '@preact/signals';
import type { LiveSession } from '../../state/live-session.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmButton, DialogButton } from '../../ui/controls/buttons.tsx';
import { FormDialog } from '../../ui/controls/dialog.tsx';
import { bound, Choice, Field } from '../../ui/controls/form.tsx';
import { Failure, useCall } from '../../ui/requests.tsx';
import { CommitLink } from '../../ui/text/marks.tsx';
import { Badge, Role, roleName, SafeText, When } from '../../ui/text/shown.tsx';
import { BUILDERS, type Builder } from '../records.ts';

type Link = Answer<'changeLinks'>['links'][number];

/** The repositories to which commit statuses are posted, and the last status of each. */
export function MergeGate({ live }: { readonly live: LiveSession }) {
  const { value, error } = useCall('changeLinks', { session_id: live.sessionId }, live.version.value);
  return (
    <Card head="gate-head" title="Merge gate">
      <p class="muted">
        Parley posts the commit statuses parley/contract and parley/verified on the declared commit of a linked agent,
        so that a merge can wait for them.
      </p>
      <Failure error={error} />
      {value && (
        <ul class="access quotes">
          {BUILDERS.map((role) => (
            <Side key={role} live={live} role={role} link={value.links.find((one) => one.role === role)} />
          ))}
        </ul>
      )}
    </Card>
  );
}

interface SideProps {
  readonly live: LiveSession;
  readonly role: Builder;
  readonly link: Link | undefined;
}

function Side({ live, role, link }: SideProps) {
  return (
    <li>
      <p>
        <Role of={role} /> {link ? <Target link={link} /> : <span class="muted">is linked with no repository</span>}
      </p>
      {link?.waits_for && <p class="muted">No status is posted, for want of {link.waits_for}.</p>}
      {link?.statuses.map((status) => (
        <Status key={`${status.context} ${status.commit}`} status={status} />
      ))}
      <div class="buttons">
        <DialogButton label={link ? 'Change the link…' : 'Link a repository…'}>
          {(onClose) => <LinkDialog {...{ live, role, link, onClose }} />}
        </DialogButton>
        {link && (
          <ConfirmButton
            label="Remove the link…"
            question={`Remove the link of ${roleName(role)}? Its token is erased. Statuses that are posted stay.`}
            yes="Remove the link now"
            isDangerous
            onConfirm={() => live.act('unlinkChange', { role })}
          />
        )}
      </div>
    </li>
  );
}

function Target({ link: { forge, url, repository, number } }: { readonly link: Link }) {
  const name = `${repository}${number === null ? '' : ` #${number}`}`;
  return url?.startsWith('https://') ? (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {name}
    </a>
  ) : (
    <SafeText text={`${name} on ${forge}`} />
  );
}

const TONES = { success: 'good', pending: 'warn', failure: 'bad' } as const;

function Status({ status }: { readonly status: Link['statuses'][number] }) {
  const { context, state, commit, description, result, reason, at } = status;
  return (
    <p class="facts">
      <code>parley/{context}</code>
      <Badge tone={result === 'posted' ? TONES[state] : 'plain'}>{state}</Badge>
      <CommitLink commit={commit} address={null} />
      <span>{description}</span>
      {result !== 'posted' && (
        <Badge tone="bad">{result === 'delayed' ? 'not posted yet, will be tried again' : 'refused'}</Badge>
      )}
      {reason !== null && <SafeText text={reason} />}
      <When at={at} />
    </p>
  );
}

const FORGES = [
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
  ['gitea', 'Gitea or Forgejo'],
] as const;

function LinkDialog({ live, role, link, onClose }: SideProps & { readonly onClose: () => void }) {
  const forge = useSignal(link?.forge ?? 'github');
  const api = useSignal(link?.api ?? '');
  const repository = useSignal(link?.repository ?? '');
  const number = useSignal(link?.number ? String(link.number) : '');
  const token = useSignal('');
  const send = (): Promise<unknown> => {
    const input = {
      ...{ role, forge: forge.value, repository: repository.value.trim() },
      ...(api.value.trim() && { api: api.value.trim() }),
      ...(number.value.trim() && { number: Number(number.value) }),
      ...(token.value.trim() && { token: token.value.trim() }),
    };
    return live.act('linkChange', input);
  };
  return (
    <FormDialog
      title={`Link ${roleName(role)} with a repository`}
      of={live.view.value?.title}
      confirm="Link"
      isFilled={repository.value.trim() !== ''}
      onSend={send}
      onClose={onClose}
    >
      <Choice
        label="Forge"
        value={forge.value}
        options={FORGES}
        onChange={(value) => {
          forge.value = value;
          api.value = '';
        }}
      />
      <Field
        label="Repository"
        hint="owner/name; on GitLab the path or the number of the project"
        required
        {...bound(repository)}
      />
      <Field label="Pull or merge request (optional)" type="number" {...bound(number)} />
      <Field
        label="Address of the API"
        hint="Leave it empty for github.com and gitlab.com."
        required={forge.value === 'gitea'}
        {...bound(api)}
      />
      <Field
        label="Token"
        hint={`May set commit statuses, and nothing else. It is never shown again.${link?.token_set ? ' Empty: the present token stays, for the same repository.' : ''}`}
        type="password"
        {...bound(token)}
      />
    </FormDialog>
  );
}
