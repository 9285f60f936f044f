/** Our webviews, by the name of their script and style. */
export type PageName = 'form' | 'gallery' | 'compare' | 'spend' | 'origin';
