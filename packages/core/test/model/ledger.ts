import { hashOf } from './contracts.ts';
import { EMPTY_MODERATION, type Moderation } from './moderation.ts';
import type { Said } from './said.ts';
import { BUILDERS, type Builder, type Seen } from './seen.ts';
import type { Call } from './world.ts';

interface Review {
  readonly verdict: string;
  readonly revisionId: string;
  readonly hash: string;
}

/** The expected records, derived from the accepted calls. Only the contract after a patch is read from an answer. */
export interface Ledger {
  readonly latest: { readonly id: string; readonly hash: string } | null;
  /** Whether the owner has requested changes of the latest revision. */
  readonly isSentBack: boolean;
  /** Reviews of the latest revision since the owner last requested changes. */
  readonly reviews: Readonly<Partial<Record<Builder, Review>>>;
  /** The revision of the manifest in force, and the reviews when the manifest was approved. */
  readonly frozen: { readonly id: string; readonly hash: string; readonly reviews: Ledger['reviews'] } | null;
  readonly isBuildAuthorized: boolean;
  /** The builder that nominated an author last. */
  readonly nominatedLast: Builder | null;
  /** Obligations whose actions agents completed without fulfilling them. Each is `<type> <role> <record>`. */
  readonly ticked: ReadonlySet<string>;
  readonly moderation: Moderation;
  readonly said: Said;
}

export const EMPTY_LEDGER: Ledger = {
  latest: null,
  isSentBack: false,
  reviews: {},
  frozen: null,
  isBuildAuthorized: false,
  nominatedLast: null,
  ticked: new Set(),
  moderation: EMPTY_MODERATION,
  said: new Map(),
};

const nextId = ({ latest }: Ledger): string => `r_${Number(latest?.id.slice(2) ?? 0) + 1}`;

/** Returns the ledger after a new revision, which its author may have approved in the same call. */
function revised(ledger: Ledger, { by, hash, approves }: { by: Call['by']; hash: string; approves: boolean }): Ledger {
  const latest = { id: nextId(ledger), hash };
  const review = { verdict: 'APPROVE', revisionId: latest.id, hash };
  return { ...ledger, latest, isSentBack: false, reviews: approves ? { [by]: review } : {} };
}

/** Returns the ledger after a call that stored something. `now` are the views after the call. */
export function entered(ledger: Ledger, { by, name, input }: Call, now: Seen): Ledger {
  switch (name) {
    case 'submit_contract':
      return revised(ledger, { by, hash: hashOf(input.contract), approves: input.approve === true });
    case 'patch_contract':
      return revised(ledger, { by, hash: hashOf(now.plan().contract), approves: input.approve === true });
    case 'submit_final_review': {
      const review = {
        verdict: String(input.verdict),
        revisionId: String(input.revision_id),
        hash: String(input.content_hash),
      };
      return { ...ledger, reviews: { ...ledger.reviews, [by]: review } };
    }
    case 'requestChanges':
      return { ...ledger, isSentBack: true, reviews: {}, frozen: null, isBuildAuthorized: false };
    case 'approveContract':
      return {
        ...ledger,
        frozen: ledger.latest && { ...ledger.latest, reviews: ledger.reviews },
        isBuildAuthorized: input.authorize_build === true,
      };
    case 'authorize':
      return { ...ledger, isBuildAuthorized: true };
    case 'elect_contract_author':
      return { ...ledger, nominatedLast: BUILDERS.find((builder) => builder === by) ?? null };
    default:
      return ledger;
  }
}

/** Whether both builders approved the contract with this hash. */
export const isApprovedByBoth = (reviews: Ledger['reviews'], hash: string): boolean =>
  BUILDERS.every((builder) => reviews[builder]?.verdict === 'APPROVE' && reviews[builder]?.hash === hash);
