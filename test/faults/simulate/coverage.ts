import { faultKinds, kindOf } from './faults';
import type { Outcome } from './simulation';

/**
 * What a series of runs reached, by name: faults, states, transitions, and the number of charges, requests, and
 * crashes.
 */
export type Coverage = Record<string, number>;

/** Adds a run. */
export function count(coverage: Coverage, { struck, states, charges, posts, crashes }: Outcome): void {
  const add = (name: string, times: number) => (coverage[name] = (coverage[name] ?? 0) + times);
  add('schedules', 1);
  add('charges', charges);
  add('requests that charge', posts);
  add('ends of windows', crashes);
  for (const name of struck) add(`fault ${kindOf(name)}`, 1);
  for (const [name, times] of states) add(name, times);
}

export function sum(all: readonly Coverage[]): Coverage {
  const total: Coverage = {};
  for (const coverage of all)
    for (const [name, times] of Object.entries(coverage)) total[name] = (total[name] ?? 0) + times;
  return total;
}

/** How often each thing must be reached in a thousand schedules, since a test that reaches nothing proves nothing. */
const leastInThousand: Coverage = {
  charges: 500,
  'requests that charge': 800,
  'ends of windows': 800,
  ...Object.fromEntries(faultKinds.map((kind) => [`fault ${kind}`, 3])),
  'fault torn': 0.1,
  'fault wrongWord': 1,
  'nothing → planned': 600,
  'planned → sent': 500,
  'planned → discarded': 1,
  'sent → planned': 10,
  'sent → accepted': 400,
  'sent → refused': 20,
  'sent → unknown': 10,
  'unknown → accepted': 2,
  'accepted → succeeded': 400,
  'accepted → failed': 3,
  'accepted → refunded': 3,
  'failed → refunded': 2,
  'succeeded → saved': 400,
  'lists: confirmed': 100,
  'lists: left out': 10,
  'agents: placed': 80,
  'agents: joined': 80,
  'agents: refused': 30,
  'agents: canceled': 10,
  'agents: answered allow': 30,
  'agents: told ended': 50,
  'agents: on the allowance': 20,
  'commands: on the budget': 20,
  'over a limit': 5,
  'restored: found': 1,
};

/** What wasn't reached often enough, as a message. */
export function lacking(coverage: Coverage): string[] {
  const thousands = (coverage['schedules'] ?? 0) / 1000;
  return Object.entries(leastInThousand)
    .filter(([name, least]) => (coverage[name] ?? 0) < least * thousands)
    .map(
      ([name, least]) => `${name}: ${coverage[name] ?? 0} times, and at least ${Math.ceil(least * thousands)} are due`,
    );
}
