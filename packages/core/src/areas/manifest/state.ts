import { z } from 'zod';
import { namedObject } from '../../kernel/operation/documented.ts';
import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { Slice } from '../slice.ts';
import type { Manifest } from './events.ts';

export const AuthorizationsView = namedObject('Authorizations', {
  build_authorized: z.boolean(),
  deployment_authorized: z.boolean(),
  activation_authorized: z.boolean(),
});

type Stage = 'build' | 'deployment' | 'activation';

export interface ManifestState extends Readonly<z.output<typeof AuthorizationsView>> {
  readonly count: number;
  /** Null before the approval, and after the owner has requested changes. */
  readonly current: Manifest | null;
  /** By builder, the filenames of the artifacts of the current manifest that the builder has confirmed. */
  readonly receipts: Readonly<Record<Builder, readonly string[]>>;
  /** By stage, the number of the event with the note of the latest authorization. Null or absent if it had no note. */
  readonly noteSeqs?: Readonly<Partial<Record<Stage, number | null>>>;
}

const NO_RECEIPTS = { agent_a: [], agent_b: [] } as const;

const emptyManifest: ManifestState = {
  count: 0,
  current: null,
  receipts: NO_RECEIPTS,
  build_authorized: false,
  deployment_authorized: false,
  activation_authorized: false,
};

export const manifestSlice: Slice<ManifestState> = {
  empty: emptyManifest,
  folds: {
    'contract.approved': (state, event) => ({ ...emptyManifest, count: state.count + 1, current: event.data.manifest }),
    'receipt.confirmed': (state, event) =>
      isBuilder(event.actor) ? received(state, event.actor, event.data.filename) : state,
    'build.authorized': (state, event) => withNote({ ...state, build_authorized: true }, 'build', event),
    'deployment.authorized': (state, event) => withNote({ ...state, deployment_authorized: true }, 'deployment', event),
    'activation.authorized': (state, event) => withNote({ ...state, activation_authorized: true }, 'activation', event),
    'handshake.declared': (state, event) =>
      event.data.commit_changed ? { ...state, deployment_authorized: false, activation_authorized: false } : state,
    'changes.requested': (state) => ({ ...emptyManifest, count: state.count }),
  },
};

interface Authorized {
  readonly seq: number;
  readonly data: { readonly note?: string | undefined };
}

const withNote = (state: ManifestState, stage: Stage, { seq, data }: Authorized): ManifestState =>
  data.note === undefined && !state.noteSeqs
    ? state
    : { ...state, noteSeqs: { ...state.noteSeqs, [stage]: data.note === undefined ? null : seq } };

const received = (state: ManifestState, by: Builder, filename: string): ManifestState => ({
  ...state,
  receipts: { ...state.receipts, [by]: [...state.receipts[by], filename] },
});
