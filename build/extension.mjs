import { build, transform } from 'esbuild';

/**
 * The extension's files, made and not written: each with its path and its code, and what they are made of. Split at every `import()`, so that
 * what is not used is not even parsed; CommonJS, because a host loads that fastest.
 */
export async function extensionFiles({ minify }) {
  const { outputFiles, metafile } = await build({
    bundle: true,
    logLevel: 'warning',
    platform: 'node',
    target: 'node22',
    mainFields: ['module', 'main'],
    minify,
    entryPoints: { extension: 'src/extension.ts', sandbox: 'src/sandbox/main.ts' },
    outdir: 'dist',
    format: 'esm',
    splitting: true,
    chunkNames: 'lazy/[name]-[hash]',
    external: ['vscode'],
    metafile: true,
    write: false,
  });
  const files = await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { code } = await transform(text, {
        format: 'cjs',
        target: 'node22',
        platform: 'node',
        minify,
        supported: { 'dynamic-import': false },
      });
      return { path, code };
    }),
  );
  return { files, metafile };
}
