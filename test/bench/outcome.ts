import type { Row } from './row';

/** The outcome of a bench: its rows, or why it couldn't run. */
export type Outcome = { readonly rows: readonly Row[] } | { readonly problem: string };
