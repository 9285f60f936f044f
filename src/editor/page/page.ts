/** Our webviews, by the name of their script and style. */
export type PageName = 'form' | 'gallery' | 'compare' | 'spend' | 'origin' | 'send';

/** The data of a drag from the Generations view or a page: the results’ files, one URI per line. */
export const dragType = 'application/vnd.code.tree.modelcatalog.generations';
