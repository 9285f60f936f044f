import type { ModelKind } from '../../../catalog/types';

/** One icon for each kind of model. */
export const icons: Readonly<Record<ModelKind, string>> = { image: 'file-media', text: 'note', other: 'package' };
