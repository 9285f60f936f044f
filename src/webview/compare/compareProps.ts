import type { ComparisonView } from '../../pages/compareMessages';
import type { Action, CompareState } from './state';

/** Of the whole page. */
export interface CompareProps {
  readonly state: CompareState;
  readonly dispatch: (action: Action) => void;
}

/** Of a part that is only there when the pictures are. */
export interface ComparedProps extends CompareProps {
  readonly comparison: ComparisonView;
}
