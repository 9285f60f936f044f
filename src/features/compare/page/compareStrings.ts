/**
 * The texts of the comparison in English, with placeholders `{0}`, `{1}`. The host sends them in the editor's language.
 */
export const englishCompareStrings = {
  comparison: 'Image comparison',
  // How they are compared.
  view: 'View',
  modes: 'Comparison mode',
  slider: 'Slider',
  sideBySide: 'Side by Side',
  onionSkin: 'Onion Skin',
  difference: 'Difference',
  sliderHeard: 'Slider: {0} on the left, {1} on the right.',
  sideBySideHeard: 'Side by side: {0} images.',
  onionSkinHeard: 'Onion skin: {1} over {0}.',
  differenceHeard: 'Difference: identical parts of {0} and {1} are black.',
  divider: 'Divider',
  opacity: 'Opacity of {0}',
  // What is seen of them.
  compareHelp:
    'Zoom with the mouse wheel, +, and −. Press 0 to fit. Drag or use the arrow keys to pan. Press 1 to 4 to change the mode. Shift and the arrow keys move the divider or change the opacity.',
  zooming: 'Zoom',
  zoomIn: 'Zoom In',
  zoomOut: 'Zoom Out',
  fit: 'Fit to View',
  zoom: '{0} %',
  pixels: '{0} × {1} pixels',
  differentSizes: 'The images differ in size. Each is scaled to fit.',
  gone: 'The file no longer exists, or can’t be shown here.',
  // What is decided.
  decision: 'Decision',
  accept: 'Accept',
  acceptHelp: 'Replace the previous image and move it to the trash',
  acceptAll: 'Accept All',
  acceptAllHelp: 'Replace all previous images and move them to the trash',
  keep: 'Keep',
  keepOne: 'Keep {0}',
  keepSelected: 'Keep Only Selected',
  keepSelectedHelp: 'Move the other images to the trash. Their renders stay in Generations.',
  keepBoth: 'Keep Both',
  keepBothHelp: 'Save the new image next to the previous one, under its own name',
  discard: 'Discard',
  discardHelp: 'Remove the new image from this computer. It isn’t deleted from the service.',
};

/** The comparison's table of texts. */
export type CompareStrings = Readonly<Record<keyof typeof englishCompareStrings, string>>;
