import type { AgentCall } from './agentTools';

/** Why a tool can't do something, in words for an agent. */
export class Refused extends Error {}

/** Resolves when the agent gives up, or when it's time to respond to it. */
export function due({ signal, late }: Pick<AgentCall, 'signal' | 'late'>): Promise<void> {
  const either = AbortSignal.any(late ? [signal, late] : [signal]);
  return new Promise((resolve) => {
    either.addEventListener('abort', () => resolve(), { once: true });
    if (either.aborted) resolve();
  });
}

/** The result of work that changes nothing. Rejects with Refused when the agent has to get its response before. */
export function inTime<T>(work: Promise<T>, call: Pick<AgentCall, 'signal' | 'late'>): Promise<T> {
  const tooLate = due(call).then(() => {
    throw new Refused('this took too long, so nothing was done. Try again later.');
  });
  return Promise.race([work, tooLate]);
}
