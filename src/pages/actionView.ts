import * as z from 'zod/mini';

/**
 * The name of something that can be done to a render, as a page gives it back: the host looks it up in what it offers.
 */
export const actionId = z.string().check(z.regex(/^[A-Za-z]{1,40}$/));

/** One thing that can be done to a render, as a page shows it. */
export const actionView = z.object({
  id: actionId,
  label: z.string(),
  /** A codicon. */
  icon: z.string(),
  /**
   * Where the render is saved it has a button only while its file is there, when it is gone, or never; left out:
   * always.
   */
  button: z.optional(z.enum(['there', 'gone', 'never'])),
});
export type ActionView = z.infer<typeof actionView>;

/**
 * What a page gets once: its texts, the language money and numbers are written in, and what can be done to renders.
 */
export interface PageTexts<Strings> {
  readonly strings: Strings;
  readonly locale: string;
  readonly actions: readonly ActionView[];
}
