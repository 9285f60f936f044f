/**
 * The form of a link: an `inline` or `reference` image in Markdown, an `embed` in Obsidian's notes, a `tag`, the
 * `attribute` of a tag that shows more than this image (a video's poster, a card's icon), a `value` in a script's
 * expression, a `field` of front matter, an `import` or `require` in a script, a `url` in a style, a `command` in
 * LaTeX, a `directive` in reStructuredText, a `macro` in AsciiDoc, a `shortcode` of a site builder.
 */
export type LinkKind =
  | 'inline'
  | 'reference'
  | 'embed'
  | 'tag'
  | 'attribute'
  | 'value'
  | 'field'
  | 'import'
  | 'url'
  | 'command'
  | 'directive'
  | 'macro'
  | 'shortcode';
