import type { Row } from './row';

/** What came of one bench: its rows, or why it could not be run. */
export type Outcome = { readonly rows: readonly Row[] } | { readonly problem: string };
