/** The part of esbuild's metafile that states how files load each other. */
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

/** The built files that load with `dist/extension.js`, starting with itself, without those loaded by `import()`. */
export function activationFiles({ outputs }: Metafile): string[] {
  const files = new Set(['dist/extension.js']);
  // Iterating over a set includes values added on the way.
  for (const file of files)
    for (const { path, kind, external } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) files.add(path);
  return [...files];
}
