import * as z from 'zod/mini';

/** The name of an action on renders, as a page sends it: the host looks it up among those it offers. */
export const actionId = z.string().check(z.regex(/^[A-Za-z]{1,40}$/));

/** One action on renders, as a page shows it. */
export const actionView = z.object({
  id: actionId,
  label: z.string(),
  /** A codicon. */
  icon: z.string(),
  /** When a saved render has a button for it: while its file exists, when it's missing, or never; omitted: always. */
  button: z.optional(z.enum(['there', 'gone', 'never'])),
});
export type ActionView = z.infer<typeof actionView>;

/** Sent to a page once: its texts, the locale for money and numbers, and the actions on renders. */
export interface PageTexts<Strings> {
  readonly strings: Strings;
  readonly locale: string;
  readonly actions: readonly ActionView[];
}
