import { hash } from 'node:crypto';

export const sha256Hex = (text: string): string => hash('sha256', text, 'hex');
