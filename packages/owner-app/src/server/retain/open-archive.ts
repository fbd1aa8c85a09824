import type { Archive } from './archive.ts';
import { createFolderArchive } from './folder-archive.ts';
import { createS3Archive } from './s3-archive.ts';
import type { S3Place } from './s3-requests.ts';

/** Where sessions are exported to before they are erased. */
export type ArchivePlace = { readonly kind: 'folder'; readonly folder: string } | ({ readonly kind: 's3' } & S3Place);

/** @param signal aborts requests to a store */
export const openArchive = (place: ArchivePlace, signal?: AbortSignal): Archive =>
  place.kind === 's3' ? createS3Archive(place, { signal }) : createFolderArchive(place.folder);
