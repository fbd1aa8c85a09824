import type { Story } from '../support/stories.ts';

/** The content hash of each revision of a story, oldest first. The hashes are the same on every machine. */
export const CONTENT_HASHES: Readonly<Record<Story, readonly string[]>> = {
  'payment-capture': [
    '589041dc4159b36dffc5edd623fbbcd910c482636a879cd370a3f39c4992597c',
    '097fa0aa97f7ec8474da71a0bd7a1ee33643d65688cd3db0f670d5a0f0bfb8b4',
  ],
  'payment-capture, moderated': [
    '589041dc4159b36dffc5edd623fbbcd910c482636a879cd370a3f39c4992597c',
    '097fa0aa97f7ec8474da71a0bd7a1ee33643d65688cd3db0f670d5a0f0bfb8b4',
    '82629ab62d4d15c8dd10e90e424c0206825dc693cfb88101b3de55cdb87af8d2',
  ],
  'offline-sync': [
    'bcb4d78aea3fca05c13486efe12b941b706ece9e112fe28640e13a228b021475',
    'd82e9c7eae2a0da319f0f89be7874f62ac755765c6b2b6284b2660c000c33198',
    '93a34b53e3311707cf85f9c0d7a5c7114d9b3f05c827981a8ae8c200b4b7f526',
  ],
  'signed-webhooks': [
    '1193b1257916e51384d2fbdb3b2912ea0573aa0931b79764328cc66b7058b559',
    'd46d9afe070bfa0a8a5d1c9fe0d8e1a07d83d012dfe9d12b35c899d188d19cdc',
  ],
  'minor-units': ['bb1308356e4011b5c6607757cc76988b731fd489beb8dff835dc4a6454420db2'],
};
