import type { ComparisonView } from './compareMessages';
import type { Action, CompareState } from './state';

/** Of the whole page. */
export interface CompareProps {
  readonly state: CompareState;
  readonly dispatch: (action: Action) => void;
}

/** Of a part that exists only with the images. */
export interface ComparedProps extends CompareProps {
  readonly comparison: ComparisonView;
}
