import { sameInputs } from './proof';
import type { Order, Target } from './record';

/** Whether two orders make the same thing for the same target. */
export function isSameOrder(
  one: Pick<Order, 'modelId' | 'inputs' | 'target'>,
  other: Pick<Order, 'modelId' | 'inputs' | 'target'>,
): boolean {
  const hasSameInputs = sameInputs(one.inputs, other.inputs) && sameInputs(other.inputs, one.inputs);
  return one.modelId === other.modelId && isSamePlace(one.target, other.target) && hasSameInputs;
}

function isSamePlace(one: Target, other: Target): boolean {
  const isSameName = one.fileName === other.fileName && one.ending === other.ending;
  return one.root === other.root && one.folder === other.folder && isSameName;
}
