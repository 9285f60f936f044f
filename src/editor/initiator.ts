import type { Initiator } from '../renders/consent';

/** Command arguments made by our pages. Recognized by identity, not content, so nobody else can forge them. */
const made = new WeakSet<object>();

/**
 * Marks an argument that one of our pages passes to a command on a press. Never for anything that others can obtain: an
 * action in a document, or a row of a tree, which the editor hands over to whoever names its view and ID.
 */
export function ours<T extends object>(argument: T): T {
  made.add(argument);
  return argument;
}

/**
 * The caller of a command with this argument. Anything but a known press in our pages counts as acting for the user.
 */
export function initiatorOf(argument: unknown): Initiator {
  return typeof argument === 'object' && argument !== null && made.has(argument) ? 'user' : 'automation';
}
