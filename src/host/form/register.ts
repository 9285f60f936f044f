import type { Owned } from '../../base/disposable';
import { formViewType } from '../../app/ids';
import type { Services } from '../../services';
import { restorePages } from '../restorePages';

/** Restores the previous window's forms; the commands of their models open new ones. */
export function register(own: Owned, { forms }: Services): void {
  restorePages(own, formViewType, forms);
}
