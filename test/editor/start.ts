// `npm start [-- folder]`: a real editor with the extension, on the built-in sandbox. `-- --demo` runs it unattended.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from './codeServer';
import { demo } from './demo';
import { desktopProgram, installedCommand } from './desktop';
import { Profile } from './profile';
import { root } from './root';
import { addressOf } from './workbench';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { demo: { type: 'boolean' }, out: { type: 'string' } },
  });
  const given = values.out ?? positionals[0];
  const folder = given === undefined ? await mkdtemp(join(tmpdir(), 'model-catalog-project-')) : resolve(given);
  if (values.demo) {
    const outcome = await demo(folder);
    console.log(JSON.stringify(outcome));
    return;
  }
  await open(folder);
}

/** Opens the folder on the desktop, or serves it if there is none; resolves once the user has closed it. */
async function open(folder: string): Promise<void> {
  const profile = await Profile.create();
  try {
    const program = installedCommand() ?? (await desktopProgram('latest'));
    if (program === undefined) await serve(folder, profile);
    else await show(program, folder, profile);
  } finally {
    await profile.dispose();
  }
}

async function show(program: string, folder: string, profile: Profile): Promise<void> {
  const flags = [
    `--user-data-dir=${profile.userData}`,
    `--extensions-dir=${profile.extensions}`,
    `--extensionDevelopmentPath=${root}`,
  ];
  const editor = spawn(program, [folder, ...flags, '--new-window', '--wait'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  console.log(`VS Code opens ${folder} with Model Catalog.`);
  await once(editor, 'exit');
}

async function serve(folder: string, profile: Profile): Promise<void> {
  await profile.install(root);
  const { userData, extensions } = profile;
  const server = await startServer({ version: 'latest', userData, extensions, testing: false });
  console.log(
    `There is no desktop here, so VS Code is served. Open this address in a browser; Ctrl+C ends it:\n\n  ${addressOf(server, folder)}\n`,
  );
  await new Promise<void>((resolve) => process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve()));
  await server.stop();
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
