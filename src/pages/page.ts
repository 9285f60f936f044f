/** Our webviews, by the name of their script and their style. */
export type PageName = 'form' | 'gallery' | 'compare' | 'spend';
