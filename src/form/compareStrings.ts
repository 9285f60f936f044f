/** The texts of the comparison in English; `{0}`, `{1}` stand for what is put in. The host sends them in the editor's language. */
export const englishCompareStrings = {
  comparison: 'Comparison of pictures',
  // How they are compared.
  modes: 'How the pictures are compared',
  slider: 'Slider',
  sideBySide: 'Side by Side',
  onionSkin: 'Onion Skin',
  difference: 'Difference',
  sliderHeard: 'Slider: {0} is left of the divider, {1} right of it.',
  sideBySideHeard: 'Side by side: {0} pictures.',
  onionSkinHeard: 'Onion skin: {1} lies over {0}.',
  differenceHeard: 'Difference: what is alike in {0} and {1} is black.',
  divider: 'Divider',
  opacity: 'Opacity of {0}',
  // What is seen of them.
  compareHelp:
    'The wheel, + and − zoom all pictures, 0 fits them, the arrow keys and dragging move them. 1 to 4 change how two are compared; Shift and the arrow keys move the divider or change the opacity.',
  zoomIn: 'Zoom In',
  zoomOut: 'Zoom Out',
  fit: 'Fit into the View',
  zoom: '{0} %',
  pixels: '{0} × {1} pixels',
  differentSizes: 'The pictures differ in size: each is fitted into the view.',
  gone: 'The file is not there any more, or cannot be shown here.',
  // What is decided.
  accept: 'Accept',
  acceptHelp: 'Replaces the earlier picture, which goes to the trash',
  keepBoth: 'Keep Both',
  keepBothHelp: 'Saves the new picture beside the earlier one, under a name of its own',
  discard: 'Discard',
  discardHelp: 'Removes the new picture here; the service keeps it',
};

/** The table of texts the comparison is given. */
export type CompareStrings = Readonly<Record<keyof typeof englishCompareStrings, string>>;
