import { readFile, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { cached } from './cache';
import { nodeOfMajor } from './node';
import { npmInstall } from './npm';
import { letItLog } from './plainLog';
import { lastWords, start, stop } from './processes';

/** The oldest supported VS Code, and a recent one. */
export type Version = 'min' | 'latest';

/** The npm package of each server, its VS Code version, and its Node version. */
export const releases = {
  min: { codeServer: '4.105.1', vscode: '1.105.1', node: 22 },
  latest: { codeServer: '4.139.1', vscode: '1.139.1', node: 24 },
} as const;

export interface ServerOptions {
  version: Version;
  /** Contains user settings and extension storage. */
  userData: string;
  extensions: string;
  /** Loads an extension from source and runs its tests; VS Code then shows neither notifications nor modal dialogs. */
  testing: boolean;
  env?: NodeJS.ProcessEnv;
}

export interface Server {
  port: number;
  /** The token a browser needs to connect. */
  token: string;
  /** The process ID of the last window's extension host; undefined before the first. */
  extensionHost(): number | undefined;
  stop(): Promise<void>;
}

/** Installs VS Code as a server into the cache if needed; resolves with its program's folder. */
export async function obtainServer(version: Version): Promise<string> {
  const { codeServer } = releases[version];
  const inside = join('node_modules', 'code-server', 'lib', 'vscode');
  const [folder] = await Promise.all([
    cached(`code-server@${codeServer}`, async (into) => {
      await npmInstall(into, `code-server@${codeServer}`);
      await takeFromRegistryAlone(join(into, inside));
      await npmInstall(join(into, inside));
    }),
    nodeOfMajor(releases[version].node),
  ]);
  await letItLog(join(folder, inside));
  return join(folder, inside);
}

/** The older release has one dependency from a git URL, which its shrinkwrap repeats. */
async function takeFromRegistryAlone(vscode: string): Promise<void> {
  const file = join(vscode, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { dependencies: Record<string, string> };
  if (!manifest.dependencies['@parcel/watcher']?.includes('#')) return;
  manifest.dependencies['@parcel/watcher'] = '2.5.1';
  await writeFile(file, JSON.stringify(manifest));
  await rm(join(vscode, 'npm-shrinkwrap.json'), { force: true });
}

/** Starts VS Code as a server on loopback. Resolves once it listens; rejects with its last output if it ends first. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const vscode = await obtainServer(options.version);
  const token = randomUUID();
  const flags = [
    ...['--host', '127.0.0.1', '--port', '0', '--connection-token', token, '--accept-server-license-terms'],
    ...['--server-data-dir', options.userData, '--user-data-dir', options.userData],
    ...['--extensions-dir', options.extensions, '--telemetry-level', 'off'],
    ...(options.testing ? ['--enable-smoke-test-driver'] : []),
  ];
  const program = start(
    await nodeOfMajor(releases[options.version].node),
    [join(vscode, 'out', 'server-main.js'), ...flags],
    { ...process.env, ...options.env },
  );
  const words = lastWords(program);
  let host: number | undefined;
  program.stdout.on('data', (data: Buffer) => {
    const launched = /<(\d+)> Launched Extension Host Process/.exec(data.toString());
    if (launched) host = Number(launched[1]);
  });
  const port = await new Promise<number>((resolve, reject) => {
    program.stdout.on('data', () => {
      const listening = /listening on (\d+)/.exec(words());
      if (listening) resolve(Number(listening[1]));
    });
    program.once('exit', () => reject(new Error(`VS Code ended before it listened: ${words()}`)));
  });
  return { port, token, extensionHost: () => host, stop: () => stop(program) };
}
