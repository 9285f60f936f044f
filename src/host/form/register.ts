import type { Owned } from '../../base/disposable';
import { formViewType } from '../../app/ids';
import type { Services } from '../../services';
import { restorePages } from '../restorePages';

/** The forms that the window had before come back; new ones are opened by their models. */
export function register(own: Owned, { forms }: Services): void {
  restorePages(own, formViewType, forms);
}
