import { isLimit, ServiceError } from '../../../catalog/errors';
import type { SessionState } from '../../../catalog/session';
import { isAway } from './modelList';

/** Why the Models view has no list: the manifest has a welcome text for each. */
export const unlisted = ['empty', 'noKey', 'offline', 'limited', 'keyRefused', 'unusable', 'failed'] as const;

/** What the Models view shows. */
export type ModelsContent = 'loading' | 'listed' | (typeof unlisted)[number];

/** What's shown instead of a list that couldn't be read. */
export function contentAfter(error: unknown): ModelsContent {
  if (!(error instanceof ServiceError)) return 'failed';
  if (error.kind === 'keyRefused') return 'keyRefused';
  if (isLimit(error)) return 'limited';
  return isAway(error) ? 'offline' : 'failed';
}

/** True when the reason for a missing or an earlier list may be gone. */
export function isWorthReading(content: ModelsContent, kept: boolean, { status, quietUntil }: SessionState): boolean {
  const isAbsent = kept || content === 'offline' || content === 'limited' || content === 'keyRefused';
  return isAbsent && status === 'connected' && quietUntil === undefined;
}
