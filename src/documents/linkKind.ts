/**
 * The form of a link: an `inline` or `reference` image in Markdown, a `tag`, the `poster` of a video, an `import` or
 * `require` in a script, a `url` in a style, a `command` in LaTeX, a `directive` in reStructuredText, a `macro` in
 * AsciiDoc.
 */
export type LinkKind = 'inline' | 'reference' | 'tag' | 'poster' | 'import' | 'url' | 'command' | 'directive' | 'macro';
