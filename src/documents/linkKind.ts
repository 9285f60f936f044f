/**
 * The form of a link: an `inline` or `reference` image of Markdown, a `tag`, the `poster` of a video, an
 * `import` or `require` of a script, a `url` of a style, a `command` of LaTeX, a `directive` of reStructuredText, a
 * `macro` of AsciiDoc.
 */
export type LinkKind = 'inline' | 'reference' | 'tag' | 'poster' | 'import' | 'url' | 'command' | 'directive' | 'macro';
