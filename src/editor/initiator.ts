import type { Initiator } from '../renders/consent';

/** Command arguments made by our views. Recognized by identity, not content, so nobody else can forge them. */
const made = new WeakSet<object>();

/**
 * Marks an argument that one of our views passes to a command on a click. Never for anything that other extensions can
 * obtain, such as an action in a document.
 */
export function ours<T extends object>(argument: T): T {
  made.add(argument);
  return argument;
}

/**
 * The caller of a command with this argument. Anything but a known click in our views counts as acting for the user.
 */
export function initiatorOf(argument: unknown): Initiator {
  return typeof argument === 'object' && argument !== null && made.has(argument) ? 'user' : 'automation';
}
