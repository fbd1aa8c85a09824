interface CommitLinkProps {
  readonly commit: string;
  /** The https address of the commit's web page. Null if the address is not known. */
  readonly address: string | null;
  readonly length?: number;
}

/** Shows the beginning of a commit's hash, as a link if `address` is set. The tooltip contains the whole hash. */
export function CommitLink({ commit, address, length = 12 }: CommitLinkProps) {
  const hash = <code title={commit}>{commit.slice(0, length)}</code>;
  if (!address?.startsWith('https://')) return hash;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {hash}
    </a>
  );
}
