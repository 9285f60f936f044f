/** What of esbuild's metafile says how files load each other. */
export interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      {
        readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
        readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
      }
    >
  >;
}

/**
 * The built files that are loaded as soon as `dist/extension.js` is, itself first; what an `import()` brings is not
 * among them.
 */
export function activationFiles({ outputs }: Metafile): string[] {
  const files = new Set(['dist/extension.js']);
  // A set yields also what is added while it is walked.
  for (const file of files)
    for (const { path, kind, external } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) files.add(path);
  return [...files];
}
