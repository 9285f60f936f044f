import type { Session } from '../../../catalog/session';

/** Connects if nothing is connected yet. */
interface Connecting {
  ready(): Promise<void>;
}

/** Resolves with the balance in cents; undefined when unknown: `tell` then gets the problem to show, if any. */
export async function refreshBalance(
  session: Session,
  connection: Connecting,
  tell: (problem: string | undefined) => void,
): Promise<number | undefined> {
  await connection.ready();
  await session.refreshBalance();
  const { status, problem, balance } = session.state;
  if (status === 'connected') return balance?.cents;
  // A rejected key was reported already, with a way to change it.
  if (status !== 'keyRefused') tell(problem);
  return undefined;
}

/** Lets the list of models be read again, and the balance if the service isn't connected. */
export async function refreshModels(session: Session, connection: Connecting): Promise<void> {
  await connection.ready();
  session.refreshModels();
  if (session.state.status !== 'connected') await session.refreshBalance();
}
