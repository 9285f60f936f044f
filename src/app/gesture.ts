import type { Gesture } from '../renders/spending';

/**
 * Arguments of commands that views of ours made. Nobody else has them: they are known by what they are, not by what
 * they hold.
 */
const made = new WeakSet<object>();

/**
 * Marks what a view of ours gives a command when it's clicked. Never for what other extensions can get at, as an action
 * of a document.
 */
export function ours<T extends object>(argument: T): T {
  made.add(argument);
  return argument;
}

/** Who calls a command with this argument. Whatever isn't known for a click in a view of ours acts for the person. */
export function gestureOf(argument: unknown): Gesture {
  return typeof argument === 'object' && argument !== null && made.has(argument) ? 'ours' : 'unattended';
}
