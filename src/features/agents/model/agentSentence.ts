import { ServiceError } from '../../../catalog/errors';
import { BudgetError, SettingError } from '../../../renders/budgetError';
import { Refused } from './inTime';

const onlyTheUser = 'Only the user may change that: don’t, and don’t order again unless they ask you to.';

/**
 * Why a tool can't do something, for an agent. Where a person is told what to change, an agent is told not to: limits,
 * keys, and money are the user's. Undefined for anything that's said to a person and an agent alike.
 */
export function agentSentence(error: unknown): string | undefined {
  if (error instanceof Refused) return error.message;
  const cause = error instanceof ServiceError || !(error instanceof Error) ? error : (error.cause ?? error);
  if (cause instanceof BudgetError) return `it would exceed a limit that the user set. ${onlyTheUser}`;
  if (cause instanceof SettingError) return `a limit that the user set isn’t a valid amount. ${onlyTheUser}`;
  if (!(cause instanceof ServiceError)) return undefined;
  switch (cause.kind) {
    case 'keyRefused':
      return `the service rejected the API key. ${onlyTheUser}`;
    case 'balanceTooLow':
      return `the user’s balance is too low for this. ${onlyTheUser}`;
    case 'dailyCap':
      return `the user’s API key has reached its daily cap. ${onlyTheUser}`;
    default:
      return undefined;
  }
}
