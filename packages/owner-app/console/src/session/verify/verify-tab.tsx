import '../../styles/verify.css';
import { clockText } from '@parley/core/words';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { namedText } from '../../../../src/text/agent.ts';
import type { Board } from '../../api/answers.ts';
import { type LiveSession, type SessionDialogProps, useAllEvents } from '../../state/live-session.ts';
import { Card } from '../../ui/card.tsx';
import { goToElement, useFragment } from '../../ui/controls/browser.ts';
import { DialogButton, WriteButton } from '../../ui/controls/buttons.tsx';
import { FormDialog } from '../../ui/controls/dialog.tsx';
import { bound, Choice, Field } from '../../ui/controls/form.tsx';
import { Graph } from '../../ui/graph/graph.tsx';
import { Failure, Pending, useAction, useCall } from '../../ui/requests.tsx';
import { CommitLink } from '../../ui/text/marks.tsx';
import { Badge, LeftOut, Role, roleName, SafeText, When } from '../../ui/text/shown.tsx';
import { ReasonDialog } from '../operation-dialog.tsx';
import { BUILDERS, type Builder } from '../records.ts';
import { shownScenarios } from '../shown-parts.ts';
import { CertificationPanel } from './certification-panel.tsx';
import { type BoardProps, DefectsPanel } from './defect-context.tsx';
import { ScenarioItem } from './scenario-item.tsx';

type Handshake = NonNullable<Board['handshakes']['agent_a']>;

/** The handshakes: the service, version and commit that each builder has declared. */
export function HandshakesPanel({ board }: { readonly board: Board }) {
  return (
    <Card head="handshakes-head" title="Handshakes">
      <ul class="handshakes">
        {BUILDERS.map((role) => (
          <li key={role}>
            <Role of={role} />{' '}
            <Declared
              handshake={board.handshakes[role]}
              fixture={board.fixture_version}
              address={board.agents.find((agent) => agent.role === role)?.commit_url ?? null}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface DeclaredProps {
  readonly handshake: Handshake | null;
  readonly fixture: string | null;
  /** The web page of the declared commit. Null if the address is not known. */
  readonly address: string | null;
}

function Declared({ handshake, fixture, address }: DeclaredProps) {
  if (!handshake) return <span class="muted">has declared nothing yet</span>;
  const { service, version, commit, environment, ready, dependencies_healthy, fixture_version, skew_ms, declared_at } =
    handshake;
  const { address: reached, changes = {} } = handshake;
  return (
    <span class="facts">
      <SafeText text={`${service} ${version}`} />
      <CommitLink commit={commit} address={address} />
      <SafeText text={environment} />
      {reached !== undefined && <SafeText text={`at ${reached}`} />}
      <Badge tone={ready ? 'good' : 'bad'}>{ready ? 'ready' : 'not ready'}</Badge>
      <Badge tone={dependencies_healthy ? 'good' : 'bad'}>
        {dependencies_healthy ? 'dependencies healthy' : 'dependencies not healthy'}
      </Badge>
      {fixture_version !== undefined && fixture_version !== fixture && (
        <Badge tone="bad">test data version is not that of the contract</Badge>
      )}
      {skew_ms !== null && <span>{`clock ${clockText(skew_ms)}`}</span>}
      <When at={declared_at} />
      <DeclaredPaths changes={changes} />
    </span>
  );
}

interface DeclaredPathsProps {
  readonly changes: Readonly<Record<string, readonly string[]>>;
  readonly isOpen?: boolean;
}

/** The paths that an agent declares as changed, by the commit to which it compares. */
export const DeclaredPaths = ({ changes, isOpen = false }: DeclaredPathsProps) => (
  <>
    {Object.entries(changes).map(([since, paths]) => (
      <details key={since} open={isOpen}>
        <summary>
          declares {paths.length} changed {paths.length === 1 ? 'path' : 'paths'} since <code>{since.slice(0, 9)}</code>
        </summary>
        <ul class="bullets paths">
          {paths.map((path) => (
            <SafeText key={path} in="li" text={path} />
          ))}
        </ul>
      </details>
    ))}
  </>
);

interface CarryButtonProps extends BoardProps {
  readonly scenarioId: string;
}

/** The button that carries a stale pass over to the declared commits. Shown only while this waits for the owner. */
export function CarryButton({ live, view, board, scenarioId }: CarryButtonProps) {
  const wait = view.waits.find(({ kind, record }) => kind === 'CARRY' && record.id === scenarioId);
  if (!wait) return null;
  return (
    <div class="buttons">
      <DialogButton label="Carry the pass over…">
        {(onClose) => (
          <ReasonDialog
            live={live}
            title={`Carry the pass of ${scenarioId} over`}
            explanation={`${namedText(wait.text, roleName)} If you carry it over, the pass counts for the declared commits without a rerun, and is marked as carried over. Both agents can read your reason.`}
            about={Object.entries(board.handshakes).map(([role, handshake]) => (
              <DeclaredPaths key={role} changes={handshake?.changes ?? {}} isOpen />
            ))}
            confirm="Carry the pass over"
            onConfirm={(reason, seen) => live.act('carryPass', { scenario_id: scenarioId, reason, ...seen })}
            onClose={onClose}
          />
        )}
      </DialogButton>
    </div>
  );
}

/** The graph of the scenarios and their dependencies. The list below the graph contains the same dependencies. */
export function ScenarioGraph({ scenarios }: Pick<Board, 'scenarios'>) {
  const items = useMemo(
    () =>
      scenarios.map(({ scenario_id, status, level, depends_on }) => ({
        id: scenario_id,
        note: level ? `${status}, ${level}` : status,
        tone: `${status.toLowerCase()} ${level ?? ''}`,
        dependsOn: depends_on,
      })),
    [scenarios],
  );
  return <Graph items={items} />;
}

/** The workflows whose test reports count as evidence of the agents, of level ci. */
export function WorkflowsPanel({ live, board }: Pick<BoardProps, 'live' | 'board'>) {
  const unbind = useAction();
  const isOver = live.view.value?.state.status === 'ENDED';
  if (isOver && board.workflows.length === 0) return null;
  return (
    <Card head="workflows-head" title="Workflows">
      <ul class="handshakes">
        {BUILDERS.map((role) => {
          const bound = board.workflows.find((one) => one.role === role);
          return (
            <li key={role}>
              <Role of={role} />{' '}
              <span class="facts">
                {bound ? (
                  <SafeText text={`${bound.workflow} of ${bound.repository}, on ${bound.ref}`} />
                ) : (
                  <span class="muted">no workflow reports</span>
                )}
                <DialogButton label={`Bind a workflow of ${roleName(role)}…`} needs="approver" isOffered={!isOver}>
                  {(onClose) => <BindDialog {...{ live, role, onClose }} />}
                </DialogButton>
                {!isOver && bound && (
                  <WriteButton
                    needs="approver"
                    disabled={unbind.isBusy}
                    onClick={() => void unbind.run(() => live.act('unbindWorkflow', { role }))}
                  >
                    Unbind
                  </WriteButton>
                )}
              </span>
            </li>
          );
        })}
      </ul>
      <Failure error={unbind.error} />
    </Card>
  );
}

interface BindDialogProps extends Omit<SessionDialogProps, 'view'> {
  readonly role: Builder;
}

const START = { repository: '', workflow: '.github/workflows/parley.yml', ref: 'refs/heads/main', issuer: '' };
const FIELDS = [
  ['repository', 'Repository, such as acme/shop'],
  ['workflow', 'Workflow file'],
  ['ref', 'Branch or tag, as a whole ref'],
  ['issuer', 'Issuer, for a forge of your own (optional)'],
] as const;

function BindDialog({ live, role, onClose }: BindDialogProps) {
  const forge = useSignal<'github' | 'gitlab'>('github');
  const typed = useSignal(START);
  const send = (): Promise<unknown> => {
    const { issuer, ...place } = typed.value;
    const input = { role, forge: forge.value, ...place, ...(issuer && { issuer }) };
    return live.act('bindWorkflow', input);
  };
  return (
    <FormDialog
      title={`Bind a workflow of ${roleName(role)}`}
      of={live.view.value?.title}
      confirm="Bind the workflow"
      onSend={send}
      onClose={onClose}
    >
      <p>
        Its test reports count as evidence of {roleName(role)}, of level ci. It sends them to{' '}
        <code>{`${location.origin}/owner/api/ci/${live.sessionId}`}</code>.
      </p>
      <Choice
        label="Forge"
        {...bound(forge)}
        options={[
          ['github', 'GitHub'],
          ['gitlab', 'GitLab'],
        ]}
      />
      {FIELDS.map(([name, label]) => (
        <Field
          key={name}
          label={label}
          value={typed.value[name]}
          onChange={(value) => {
            typed.value = { ...typed.value, [name]: value.trim() };
          }}
        />
      ))}
    </FormDialog>
  );
}

/** Matches the ids of the elements for scenarios. */
const SCENARIO = /^scenario-[\w.-]+$/;

/** The tab with the test board: scenarios with their evidence, defects, and the certification checks. */
export function VerifyTab({ live }: { readonly live: LiveSession }) {
  const { value: board, error } = useCall('board', { session_id: live.sessionId }, live.version.value);
  const view = live.view.value;
  // The board does not contain the claims, summaries and assertions of the evidence. `evidenceIn` reads them from the
  // events.
  useAllEvents(live);
  useEffect(() => {
    if (board) shownScenarios.value = new Set(board.scenarios.map(({ scenario_id }) => scenario_id));
  }, [board]);
  useFragment(view !== null && board !== null, SCENARIO, goToElement);
  if (!view || !board) return <Pending error={error} />;
  if (board.manifest_id === null)
    return <p class="empty">Nothing to verify yet: the board opens when you approve a contract.</p>;
  return (
    <div class="stack verify-tab">
      <CertificationPanel live={live} view={view} board={board} />
      <HandshakesPanel board={board} />
      <WorkflowsPanel live={live} board={board} />
      <DefectsPanel live={live} view={view} board={board} />
      <Card head="scenarios-head" title={`Scenarios (${board.scenarios.length})`}>
        <LeftOut of={board.left_out} />
        {board.scenarios.length > 0 && <ScenarioGraph scenarios={board.scenarios} />}
        <ul class="scenarios quotes">
          {board.scenarios.map((scenario) => (
            <ScenarioItem key={scenario.scenario_id} scenario={scenario} events={live.events.value} isTarget>
              <CarryButton {...{ live, view, board }} scenarioId={scenario.scenario_id} />
            </ScenarioItem>
          ))}
        </ul>
      </Card>
    </div>
  );
}
