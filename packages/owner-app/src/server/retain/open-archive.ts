import type { Archive } from './archive.ts';
import { createFolderArchive } from './folder-archive.ts';
import type { S3Place } from './s3-archive.ts';
import { createS3Archive } from './s3-archive.ts';

/** The place to which sessions are exported before they are erased. */
export type ArchivePlace = { readonly kind: 'folder'; readonly folder: string } | ({ readonly kind: 's3' } & S3Place);

/** Opens the archive at a place. `signal` aborts the requests to an S3-compatible store. */
export const openArchive = (place: ArchivePlace, signal?: AbortSignal): Archive =>
  place.kind === 's3' ? createS3Archive(place, { signal }) : createFolderArchive(place.folder);
